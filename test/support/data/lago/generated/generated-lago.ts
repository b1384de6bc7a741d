import type { TestDatabase } from '../../../databases/test-database.ts'
import { type Dice, dice as seeded } from '../../histories/seeded-dice.ts'
import { insertStatements, literal } from '../../killbill/sql-literals.ts'
import { northTables } from '../north-rows.ts'
import { CUSTOMER_WRITES, createCustomer } from './customer-writes.ts'
import { INVOICE_WRITES } from './invoice-writes.ts'
import { DAY, HOUR, type Write } from './lago-scene.ts'
import { createLagoStore, type LagoStore } from './lago-store.ts'
import { createPlans, PLAN_WRITES } from './plan-writes.ts'
import { SUBSCRIPTION_WRITES } from './subscription-writes.ts'

/** Lago's calls, by name. */
const CALLS: Readonly<Record<string, Write>> = { ...SUBSCRIPTION_WRITES, ...INVOICE_WRITES, ...CUSTOMER_WRITES, ...PLAN_WRITES }
const NAMES = Object.keys(CALLS)
/** Calls about one customer alone. */
const OWN_NAMES = Object.keys({ ...SUBSCRIPTION_WRITES, ...INVOICE_WRITES, ...CUSTOMER_WRITES })

/** The first instant of a history. */
export const GENERATED_START = Date.UTC(2024, 0, 3, 7)
/** Rates of every currency of a history, as CSV. */
export const LAGO_RATES =
  'date,from,to,rate\n2023-01-01,EUR,USD,1.10\n2024-06-01,EUR,USD,1.20\n2023-01-01,JPY,USD,0.0070\n2023-01-01,KWD,USD,3.25\n'

/** A generated history, which further calls may go on with. */
export interface LagoHistory {
  readonly store: LagoStore
  /** The instant after the last call, milliseconds since 1970. */
  readonly end: number
}

export interface LagoSize {
  readonly seed: number
  /** Customers of each of the two organizations. */
  readonly customers: number
  /** Calls for each customer. */
  readonly calls: number
}

/** Two organizations whose customers have the same external ids, with what has happened to them in a year and more. */
export function generatedLago({ seed, customers, calls }: LagoSize): LagoHistory {
  const store = createLagoStore(seed)
  const draw = seeded(seed)
  for (const name of ['East Ltd', 'West Ltd']) {
    const organization = store.insert('organizations', GENERATED_START, { name })
    const owner = { organization_id: organization['id'] ?? null }
    const entity = store.insert('billing_entities', GENERATED_START, {
      ...{ ...owner, name, code: 'main' },
      timezone: name === 'East Ltd' ? 'Europe/Berlin' : 'UTC',
    })
    createPlans(store, draw, GENERATED_START, organization)
    for (let number = 1; number <= customers; number += 1) createCustomer(store, draw, GENERATED_START, entity, number)
  }
  let at = GENERATED_START + 60 * DAY
  const count = 2 * customers * calls
  // A year and a quarter, whatever the number of calls.
  const pause = Math.floor((450 * DAY) / count)
  for (let call = 0; call < count; call += 1) {
    at += 1 + draw.below(2 * pause)
    // Whole hours occur, so that rules about bounds are met.
    callLago(store, draw, draw.chance(10) ? Math.ceil(at / HOUR) * HOUR : at)
  }
  return { store, end: Math.ceil((at + DAY) / DAY) * DAY }
}

/** A call that changes something, about a customer drawn from `free`. Returns both. With `isOwn`, it concerns no other customer. */
export function callLago(
  store: LagoStore,
  draw: Dice,
  at: number,
  {
    free = store.rows('customers'),
    isOwn = false,
  }: { readonly free?: ReturnType<LagoStore['rows']>; readonly isOwn?: boolean } = {},
): { readonly name: string; readonly customer: string } {
  const before = store.changeCount()
  for (;;) {
    const name = draw.pick(isOwn ? OWN_NAMES : NAMES)
    const customer = draw.pick(free)
    CALLS[name]?.({ store, dice: draw, at, customer })
    if (store.changeCount() > before) return { name, customer: String(customer['id']) }
  }
}

/** Creates the tables, and fills them with the rows of a history. */
export async function fillLago(database: TestDatabase, { store }: LagoHistory): Promise<void> {
  const statements = [northTables(), 'set session_replication_role = replica']
  for (const table of LAGO_TABLES) {
    const rows = store.rows(table)
    // Rows of a table may differ in their columns: absent ones have their defaults.
    const shapes = new Map<string, typeof rows>()
    for (const row of rows) {
      const names = Object.keys(row).filter((name) => table !== 'versions' || name !== 'updated_at')
      shapes.set(names.join(), [...(shapes.get(names.join()) ?? []), row])
    }
    for (const [names, own] of shapes) {
      const columns = names.split(',')
      const tuples = own.map((row) => `(${columns.map((name) => literal(row[name] ?? null, 'text', 'postgres')).join(', ')})`)
      statements.push(
        ...insertStatements(
          table,
          columns.map((name) => `"${name}"`),
          tuples,
        ),
      )
    }
  }
  store.takeJournal()
  await database.adminQuery([...statements, 'set session_replication_role = default'].join(';\n'))
}

const LAGO_TABLES = [
  ...['organizations', 'billing_entities', 'customers', 'customer_metadata', 'add_ons', 'plans', 'charges', 'fixed_charges'],
  ...['subscriptions', 'fixed_charge_events', 'invoices', 'invoice_subscriptions', 'fees', 'payments', 'payment_requests'],
  ...['invoices_payment_requests', 'invoice_settlements', 'versions'],
]
