import Big from 'big.js'
import type { Row } from '../../../../src/connector-kit/connector.ts'
import type { Tables } from '../../data/killbill/tables.ts'
import { type FoldedCustomer, relationsOf } from './fold-tables.ts'

type Facts = Readonly<Record<string, unknown>>

/** Relations that both sides compute. */
export const COMPARED = ['mrr_span', 'mrr_movement', 'trial', 'usage_charge', 'invoice', 'refund'] as const
export type Compared = (typeof COMPARED)[number]

const FLAGS = ['is_trial', 'is_live', 'is_paused', 'is_unpriced', 'is_swap', 'is_switch']
const NUMBERS = /_cents$|^quantity$|_key$|^charge_id$/

/** Facts of the plans by key: two sides may count their keys differently. */
export function planFacts(tables: Tables): ReadonlyMap<number, Facts> {
  const plan = relationsOf(tables).find((relation) => relation.name === 'plan')
  const names = (plan?.columns ?? []).map((column) => column.name)
  return new Map(
    (plan?.rows ?? []).map((row) => [
      Number(row[0]),
      Object.fromEntries(names.slice(1).map((name, index) => [name, row[index + 1] ?? null])),
    ]),
  )
}

/** The fold's rows of each relation, with the relation's column names. */
export function foldRows(customers: readonly FoldedCustomer[]): Readonly<Record<Compared, readonly Facts[]>> {
  const key = (customer: FoldedCustomer) => ({ customer_key: Number(customer.account['record_id']) })
  return {
    mrr_span: customers.flatMap((customer) => customer.spans.map((span) => ({ ...span }))),
    mrr_movement: customers.flatMap((customer) => customer.movements.map((movement) => ({ ...movement }))),
    trial: customers.flatMap((customer) => customer.trials.map((trial) => ({ ...trial }))),
    usage_charge: customers.flatMap((customer) =>
      customer.usage_charges.map(({ date, cents, ...charge }) => ({
        ...key(customer),
        ...charge,
        charge_date: date,
        amount_cents: cents,
      })),
    ),
    invoice: customers.flatMap((customer) =>
      customer.paid_invoices.map(({ amount, ...invoice }) => ({
        ...key(customer),
        ...invoice,
        amount_cents: centsOf(amount),
        tax_cents: centsOf(customer.taxes.get(invoice.invoice_id) ?? new Big(0)),
      })),
    ),
    refund: customers.flatMap((customer) =>
      customer.refunds.map(({ amount, ...refund }) => ({ ...key(customer), ...refund, amount_cents: centsOf(amount) })),
    ),
  }
}

function centsOf(amount: Big): number {
  return Number(amount.times(100).round(0, Big.roundHalfUp).toFixed())
}

function comparable(row: Facts, columns: readonly string[], plans: ReadonlyMap<number, Facts>): string {
  const cells = columns.map((column) => {
    const cell = row[column] ?? null
    if (column === 'plan_key') return [column, cell === null ? null : plans.get(Number(cell))]
    if (FLAGS.includes(column)) return [column, ['true', '1'].includes(String(cell))]
    return [column, cell !== null && NUMBERS.test(column) ? Number(cell) : cell]
  })
  return JSON.stringify(Object.fromEntries(cells))
}

/**
 * The differences of SQL and fold about one relation, as a text with all details of the first account with one. Empty
 * if they agree. Rows count as often as they occur.
 */
export function differences(name: string, sql: readonly Row[], fold: readonly Facts[], tables: Tables): string {
  const plans = planFacts(tables)
  const columns = Object.keys(fold[0] ?? {}).sort()
  const keyed = (rows: readonly Facts[]) =>
    rows.map((row) => [comparable(row, columns, plans), Number(row['customer_key'])] as const)
  const [inSql, inFold] = [keyed(sql), keyed(fold)]
  const onlySql = missing(inSql, inFold)
  const onlyFold = missing(inFold, inSql)
  const account = onlySql[0]?.[1] ?? onlyFold[0]?.[1]
  if (account === undefined) return ''
  const own = ([text, key]: readonly [string, number]) => (key === account ? [text] : [])
  const concerned = new Set([...onlySql, ...onlyFold].map(([, key]) => key))
  return [
    `${name} differs for ${concerned.size} accounts; of account ${account}:`,
    'only in SQL:',
    ...onlySql.flatMap(own),
    'only in the fold:',
    ...onlyFold.flatMap(own),
    ...accountRows(account, tables),
  ].join('\n')
}

function missing(rows: readonly (readonly [string, number])[], from: readonly (readonly [string, number])[]) {
  const counts = new Map<string, number>()
  for (const [text] of from) counts.set(text, (counts.get(text) ?? 0) + 1)
  return rows.filter(([text]) => {
    const left = counts.get(text) ?? 0
    counts.set(text, left - 1)
    return left <= 0
  })
}

const SHOWN: Readonly<Record<string, readonly string[]>> = {
  bundles: ['id', 'external_key'],
  subscriptions: ['id', 'bundle_id', 'category'],
  subscription_events: [
    'record_id',
    'subscription_id',
    'event_type',
    'user_type',
    'effective_date',
    'phase_name',
    'price_list_name',
    'quantity',
    'is_active',
  ],
  blocking_states: ['blockable_id', 'type', 'service', 'block_billing', 'effective_date', 'is_active'],
  invoices: ['id', 'status', 'migrated', 'created_date'],
  invoice_items: [
    'invoice_id',
    'id',
    'type',
    'amount',
    'subscription_id',
    'start_date',
    'end_date',
    'linked_item_id',
    'created_date',
  ],
  invoice_payments: ['invoice_id', 'payment_date', 'amount', 'status'],
  invoice_history: ['target_record_id', 'status', 'created_date'],
  tags: ['object_id', 'tag_definition_id', 'created_date'],
}

function accountRows(account: number, tables: Tables): string[] {
  return Object.entries(SHOWN).flatMap(([table, columns]) =>
    tables(table)
      .filter((row) => Number(row['account_record_id']) === account)
      .map((row) => `${table} ${columns.map((column) => row[column] ?? '-').join(' ')}`),
  )
}
