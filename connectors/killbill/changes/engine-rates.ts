import type { Snapshot } from '../../../src/connector-kit/connector.ts'
import { createRowMemory } from '../../../src/connector-kit/row-memory.ts'
import { digestOf } from '../catalog/text-digest.ts'
import { readAnalyticsRates } from '../queries.ts'

/** The engine's own rates into a base currency, with a digest. */
export interface EngineRates {
  readonly rates: Awaited<ReturnType<typeof readAnalyticsRates>>
  readonly digest: string
}

/** The rates of an engine that has none, or needs none. */
export const NO_RATES: EngineRates = { rates: [], digest: '' }

/** Reads the engine's rates. If they have not changed since the last look, the database returns only a digest. */
export function createRatesReader(): (snapshot: Snapshot, base: string) => Promise<EngineRates> {
  const memory = createRowMemory('killbill.rates.unchanged', (label) => (label === 'killbill.rates' ? 0 : undefined))
  const read = new WeakMap<object, EngineRates>()
  return async (snapshot, base) => {
    const remembered = memory.begin(snapshot, base)
    let rows: object | undefined
    const rates = await readAnalyticsRates(async (label, statement) => {
      const found = await remembered.run(label, statement)
      rows = found
      return found
    }, base)
    remembered.remember()
    const known = rows === undefined ? undefined : read.get(rows)
    if (known !== undefined) return known
    const made = { rates, digest: digestOf(JSON.stringify(rates)) }
    if (rows !== undefined) read.set(rows, made)
    return made
  }
}
