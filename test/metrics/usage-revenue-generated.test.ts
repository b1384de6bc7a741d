import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { nonZero } from '../support/oracles/fold/fold-recorded.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import { slicer, sumsBy } from '../support/oracles/slice-loops.ts'
import { chargesOf, type SlicedCharge } from '../support/oracles/usage-loops.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Readonly<Record<string, string | number | null>>
type Tables = ReturnType<typeof generatedHistory>

const SEED = 4242
const NOWS = ['2024-07-20', '2025-01-15'] as const
const [START, END] = ['2024-01-16', '2025-12-31']

oneEngineInRotation(`usage revenue compared with plain loops on a generated history, seed ${SEED}`, (target) => {
  const known = new Map<string, { engine: Engine; charges: readonly SlicedCharge[] }>()
  let groupOf: ReturnType<typeof slicer>
  beforeAll(async () => {
    const { database, tables } = await fillDatabase(target, withPhases(generatedHistory(SEED, 60)))
    groupOf = slicer(tables)
    for (const now of NOWS) {
      const store = await ratesOnly(RATES_CSV)
      const engine = await engineOver(database, { tenant: ['all'], now: new Date(`${now}T00:00:00Z`), store })
      const folded = foldTables(tables, { now: `${now} 00:00:00`, base_currency: 'USD', rates: GENERATED_RATES })
      known.set(now, { engine, charges: chargesOf(folded, tables, GENERATED_RATES) })
    }
  })

  it.each(NOWS)('every dimension groups as plain loops do, as of %s (D55, D59, D61)', async (now) => {
    const { engine, charges = [] } = known.get(now) ?? {}
    if (engine === undefined) throw new Error('no engine')
    expect(charges.length).toBeGreaterThan(20)
    const { dimensions } = (await engine.fields('usage_revenue')).data
    const inRange = charges.filter(({ date }) => date >= START && date <= now)
    // Of two days each leaves the dimensions that the other is asked.
    for (const { key } of sampleOf(target, dimensions, { shift: NOWS.indexOf(now) })) {
      const { data } = await engine.query(
        'usage_revenue',
        { query_type: 'series', start: START, end: END },
        { dimensions: [key] },
      )
      const cells = (data as Row[]).map((row) => [JSON.stringify([row['period'], row[key]]), Number(row['revenue'])])
      const wanted = sumsBy(
        inRange,
        (charge) => [`${charge.date.slice(0, 7)}-01`, groupOf(key, charge)],
        ({ cents, base_cents }) => [key === 'currency' ? cents : base_cents],
      )
      const sums = [...wanted].map(([group, [amount = 0]]) => [group, amount])
      expect(nonZero(Object.fromEntries(cells)), key).toEqual(nonZero(Object.fromEntries(sums)))
    }
  })
})

/** Usage items with a phase: in turn that of each event of their subscription that has one, and none at all. */
function withPhases(history: Tables): Tables {
  const phasesOf = new Map<unknown, unknown[]>()
  for (const event of history['subscription_events'] ?? []) {
    const phases = phasesOf.get(event['subscription_id']) ?? [null]
    phasesOf.set(event['subscription_id'], event['phase_name'] === null ? phases : [...phases, event['phase_name']])
  }
  const items = (history['invoice_items'] ?? []).map((item, index) => {
    const phases = phasesOf.get(item['subscription_id'])
    return item['type'] !== 'USAGE' || phases === undefined
      ? item
      : { ...item, phase_name: phases[index % phases.length] as string }
  })
  return { ...history, invoice_items: items }
}
