import { afterAll, beforeAll, describe } from 'vitest'
import type { CapabilityOf } from '../../../src/connector-kit/capabilities.ts'
import type { Row } from '../../../src/connector-kit/connector.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import type { Definitions } from '../../../src/core/definitions.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { fillDatabase } from '../data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory } from '../data/histories/generated-history.ts'
import { HISTORY_NOW, type History } from '../data/histories/history-seeds.ts'
import { sharedReal } from '../data/killbill/recorded-database.ts'
import { seedFor } from '../data/property-runs.ts'
import { realRates } from '../data/recorded/recorded-tables.ts'
import { firstEngineAndOneOther, roundOfOtherEngines } from '../databases/rotation.ts'
import { isFirst, type Target, type TestDatabase } from '../databases/targets.ts'
import { cachedEngineOver } from './counted-cache.ts'
import { END_OF_RECORDING, engineOver, ratesOnly } from './recorded-engine.ts'
import { relationRows } from './relation-rows.ts'

/** Data over which identities must hold, whatever is asked. */
export interface IdentityCase {
  readonly engine: Engine
  /** Added to the seeds of what is drawn: each database and each source of data is asked something else. */
  readonly seed: number
  /** Its place among those of its database: of checks that are alike each of them may show another one. */
  readonly number: number
  readonly now: Date
  /** The first day worth asking for, and how many days there are up to now. */
  readonly first: string
  readonly days: number
  readonly rates: readonly FxRate[]
  /** Values that the data has, by dimension: what filters ask for. */
  readonly values: ReadonlyMap<string, readonly unknown[]>
  /** The support of the connector, if it lacks a dimension or a filter that the recorded engine has. */
  readonly capabilityOf?: CapabilityOf
  /** The same data under other rates and definitions. */
  over(rates: readonly FxRate[], definitions: Partial<Definitions>): Promise<Engine>
  relations<Name extends string>(...names: Name[]): Promise<Record<Name, readonly Row[]>>
}

interface Source {
  readonly tenant: string
  readonly now: Date
  readonly first: string
  readonly rates: readonly FxRate[]
  /** Whether the cache is asked, which has to obey the identities too. */
  readonly isCached: boolean
  open(target: Target): Promise<TestDatabase>
}

const DAY_MS = 86_400_000
const SLICED_BY = ['plan_id', 'plan_interval', 'customer_country', 'currency', 'cohort_month', 'collection_method']

const recorded = (tenant: string): Source => ({
  tenant,
  now: END_OF_RECORDING,
  first: '2024-11-01',
  rates: realRates,
  isCached: true,
  open: sharedReal,
})

const generated = (history: History): Source => ({
  tenant: 'all',
  now: new Date(`${HISTORY_NOW.replace(' ', 'T')}Z`),
  first: '2023-12-20',
  rates: GENERATED_RATES,
  isCached: false,
  open: async (target) => (await fillDatabase(target, generatedHistory(...history))).database,
})

/**
 * One `describe` per database whose turn it is and source of data, all of them on the first engine and one in turn on another. The
 * recorded tenants are asked of the cache.
 */
export function describeIdentities(name: string, history: History, define: (caseOf: () => IdentityCase) => void): void {
  const sources = { [`seed ${history[0]}`]: generated(history), alpha: recorded('alpha'), beta: recorded('beta') }
  firstEngineAndOneOther(name, (target) => {
    const all = Object.entries(sources)
    const ofOther = roundOfOtherEngines() % all.length
    describe.each(isFirst(target) ? all : all.slice(ofOther, ofOther + 1))('%s', (name, source) => {
      let opened: IdentityCase | undefined
      beforeAll(async () => {
        const number = Object.keys(sources).indexOf(name)
        opened = { ...(await openCase(source, await source.open(target))), seed: seedFor(target, 1_000 * number), number }
      })
      afterAll(() => opened?.engine.close())
      define(() => {
        if (opened === undefined) throw new Error('the data is not open yet')
        return opened
      })
    })
  })
}

async function openCase(
  { tenant, now, first, rates, isCached }: Source,
  database: TestDatabase,
): Promise<Omit<IdentityCase, 'seed' | 'number'>> {
  const optionsFor = async (own: readonly FxRate[], definitions: Partial<Definitions>) => ({
    tenant: [tenant],
    now,
    definitions: { allow_unpriced: true, ...definitions },
    store: await storeOf(own),
  })
  const over: IdentityCase['over'] = async (own, definitions) => engineOver(database, await optionsFor(own, definitions))
  const engine = isCached ? (await cachedEngineOver(database, await optionsFor(rates, {}))).engine : await over(rates, {})
  return {
    engine,
    now,
    first,
    days: (now.getTime() - Date.parse(first)) / DAY_MS,
    rates,
    values: await valuesOf(engine, first, now),
    over,
    relations: (...names) =>
      relationRows(database, names, { now, tenant: [tenant], rates, params: { usage_invoices_only: false } }),
  }
}

function storeOf(rates: readonly FxRate[]) {
  return ratesOnly(['date,from,to,rate', ...rates.map(({ date, from, to, rate }) => [date, from, to, rate].join())].join('\n'))
}

async function valuesOf(engine: Engine, start: string, now: Date): Promise<Map<string, unknown[]>> {
  const params = { query_type: 'breakdown', start, end: now.toISOString().slice(0, 10) }
  const rows = (await engine.query('mrr', params, { dimensions: SLICED_BY })).data as Record<string, unknown>[]
  return new Map(SLICED_BY.map((key) => [key, [...new Set(rows.map((row) => row[key]))].sort()]))
}
