import { createStripeConnector } from '../../../connectors/stripe/index.ts'
import { capabilitiesOf } from '../../../src/connector-kit/capabilities.ts'
import type { StripeHistory } from '../data/stripe/generated/lives.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import type { IdentityCase } from './identity-cases.ts'
import { ratesOf } from './lago-engine.ts'
import { connectorRows } from './relation-rows.ts'
import { STRIPE_SETTINGS, stripeCatalog, stripeEngine } from './stripe-engine.ts'
import { textHeld } from './text-held.ts'

const SETTINGS = { ...STRIPE_SETTINGS, account: ['all'] }
/** Every account. */
export const EVERY_ACCOUNT = createStripeConnector(SETTINGS)
/** The tables of the relations that a cache of Stripe holds. */
export const STRIPE_HELD = textHeld(EVERY_ACCOUNT, stripeCatalog())
/** Rates of every currency of a history, as CSV. */
export const STRIPE_RATES =
  'date,from,to,rate\n2023-01-01,EUR,USD,1.10\n2025-02-01,EUR,USD,1.20\n2023-01-01,JPY,USD,0.0070\n2023-01-01,KWD,USD,3.25\n'

const SLICED_BY = ['plan_id', 'plan_interval', 'customer_country', 'currency', 'cohort_month']
const DAY = 86_400

/** A mirror of generated histories as data over which identities must hold. `by` is now, as Unix seconds. */
export async function stripeCase(
  database: TestDatabase,
  { start }: StripeHistory,
  by: number,
  seed: number,
): Promise<IdentityCase> {
  const now = new Date(by * 1000)
  const rates = ratesOf(STRIPE_RATES)
  const over: IdentityCase['over'] = (own, definitions) =>
    stripeEngine(database, {
      ...{ settings: SETTINGS, now, definitions: { allow_unpriced: true, ...definitions } },
      rates: ['date,from,to,rate', ...own.map(({ date, from, to, rate }) => [date, from, to, rate].join())].join('\n'),
    })
  const engine = await over(rates, {})
  const first = new Date(start * 1000).toISOString().slice(0, 10)
  const breakdown = { query_type: 'breakdown', start: first, end: now.toISOString().slice(0, 10) }
  const rows = (await engine.query('mrr', breakdown, { dimensions: SLICED_BY })).data as Record<string, unknown>[]
  return {
    ...{ engine, seed, number: 0, now, first, days: (by - start) / DAY, rates, over },
    capabilityOf: capabilitiesOf(EVERY_ACCOUNT, stripeCatalog(), 'postgres'),
    values: new Map(SLICED_BY.map((key) => [key, [...new Set(rows.map((row) => row[key]))].sort()])),
    relations: (...names) =>
      connectorRows(EVERY_ACCOUNT, database, names, { now, rates, schema: 'stripe', definitions: { allow_unpriced: true } }),
  }
}
