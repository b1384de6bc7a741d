import { createLagoConnector } from '../../../connectors/lago/index.ts'
import { capabilitiesOf } from '../../../src/connector-kit/capabilities.ts'
import { LAGO_RATES, type LagoHistory } from '../data/lago/generated/generated-lago.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import type { IdentityCase } from './identity-cases.ts'
import { lagoCatalog, lagoEngine, ratesOf } from './lago-engine.ts'
import { connectorRows } from './relation-rows.ts'

/** Every organization. */
export const EVERY_ORGANIZATION = createLagoConnector({ organization: ['all'] })
const SLICED_BY = ['plan_id', 'plan_interval', 'customer_country', 'currency', 'cohort_month']
const FIRST = '2024-02-01'
const DAY_MS = 86_400_000

/** A generated Lago database as data over which identities must hold. */
export async function lagoCase(database: TestDatabase, { end }: LagoHistory, seed: number): Promise<IdentityCase> {
  const now = new Date(end)
  const rates = ratesOf(LAGO_RATES)
  const over: IdentityCase['over'] = (own, definitions) =>
    lagoEngine(database, {
      ...{ organization: ['all'], now, definitions },
      rates: ['date,from,to,rate', ...own.map(({ date, from, to, rate }) => [date, from, to, rate].join())].join('\n'),
    })
  const engine = await over(rates, {})
  const breakdown = { query_type: 'breakdown', start: FIRST, end: now.toISOString().slice(0, 10) }
  const rows = (await engine.query('mrr', breakdown, { dimensions: SLICED_BY })).data as Record<string, unknown>[]
  return {
    ...{ engine, seed, number: 0, now, first: FIRST, days: (end - Date.parse(FIRST)) / DAY_MS, rates, over },
    capabilityOf: capabilitiesOf(EVERY_ORGANIZATION, lagoCatalog(), 'postgres'),
    values: new Map(SLICED_BY.map((key) => [key, [...new Set(rows.map((row) => row[key]))].sort()])),
    relations: (...names) =>
      connectorRows(EVERY_ORGANIZATION, database, names, { now, rates, definitions: { allow_unpriced: true } }),
  }
}
