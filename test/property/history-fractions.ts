import type { GeneratedAccount } from '../support/data/histories/drawn-account.ts'
import { dice } from '../support/data/histories/seeded-dice.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'

const WHOLE_SECOND = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
/** Few again, so that many coincide, and some differ in the last digit alone. */
const FRACTIONS = ['', '', '.25', '.5', '.999998', '.999999'] as const

/** Gives every instant of an account a fraction of its second, or none; the same for the same seed. */
export function withFractions(seed: number): (account: GeneratedAccount) => GeneratedAccount {
  const draw = dice(seed)
  const sharpened = (_key: string, cell: unknown): unknown =>
    typeof cell === 'string' && WHOLE_SECOND.test(cell) ? `${cell}${draw.pick(FRACTIONS)}` : cell
  return (account) => JSON.parse(JSON.stringify(account), sharpened)
}

const INSTANTS: Readonly<Record<string, readonly string[]>> = {
  subscription_events: ['effective_date', 'created_date'],
  subscriptions: ['start_date'],
  blocking_states: ['effective_date', 'created_date'],
  invoices: ['created_date'],
  invoice_items: ['created_date'],
  invoice_payments: ['payment_date'],
  invoice_history: ['created_date'],
  tags: ['created_date'],
}

/** Makes room for fractions where the engine's own columns have none; PostgreSQL's always do. */
export async function sharpenColumns(database: TestDatabase): Promise<void> {
  if (database.dialect.name !== 'mysql') return
  for (const [table, columns] of Object.entries(INSTANTS))
    await database.adminQuery(`alter table ${table} ${columns.map((name) => `modify ${name} datetime(6)`).join(', ')}`)
}
