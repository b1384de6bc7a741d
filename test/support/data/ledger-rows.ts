import { readExample } from './example-tables.ts'

type Cell = string | number | boolean | null
type Cells = Readonly<Record<string, Cell>>

/** An item: type, amount, and its days, link or other day of writing. */
export interface Item {
  readonly id?: string
  readonly type: string
  readonly amount: string
  readonly days?: readonly [start: string, end: string | null]
  readonly link?: string
  readonly written?: string
  readonly child?: number
  readonly phase?: string
}

/** An invoice of an account, by days. `draft` is the day on which a draft was made that was committed on `on`. */
export interface Invoice {
  readonly account: number
  readonly currency?: string
  readonly on: string
  readonly draft?: string
  readonly voided?: string
  readonly isParent?: boolean
  readonly status?: string
  readonly items: readonly Item[]
  readonly paid?: readonly (readonly [on: string, amount: string, type?: string])[]
  /** Attempts of the payment provider: day, amount, status and code of the error. The payment of the last success is the invoice's. */
  readonly tried?: readonly (readonly [on: string, amount: string, status: string, error?: string])[]
  /** First day of a chargeback of this amount, and the day of its reversal. */
  readonly reversed?: readonly [charged: string, reversed: string, amount: string]
  /** First day on which it is written off, and the day of the removal. */
  readonly written_off?: readonly [from: string, to?: string]
  /** Places of the invoices of children that it pays, from 1. */
  readonly links?: readonly number[]
}

/** An account and its currency. */
export interface Account {
  readonly currency: string
  readonly isTest?: boolean
  readonly isAutoPayOff?: boolean
}

const id = (kind: number, number: number): string =>
  `000000${String(kind).padStart(2, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`
const at = (day: string): string => `${day} 10:00:00`

/** Id of the invoice at a place, from 1. */
export function invoiceId(place: number): string {
  return id(20, place)
}

/** Rows of Kill Bill for accounts and their invoices. */
export function ledgerRows(accounts: readonly Account[], invoices: readonly Invoice[]): Record<string, readonly Cells[]> {
  const { given } = readExample('worked-example')
  const rows: Record<string, Cells[]> = {
    tenants: [...(given['tenants'] ?? [])] as Cells[],
    tenant_kvs: [...(given['tenant_kvs'] ?? [])] as Cells[],
    accounts: [],
    invoices: [],
    invoice_history: [],
    invoice_items: [],
    invoice_payments: [],
    invoice_payment_history: [],
    payments: [],
    payment_methods: [],
    payment_transactions: [],
    invoice_parent_children: [],
    tags: [],
  }
  const add = (table: string, cells: Cells) =>
    rows[table]?.push({ record_id: (rows[table]?.length ?? 0) + 1, tenant_record_id: 1, ...cells })
  for (const [index, { currency, isTest, isAutoPayOff }] of accounts.entries()) {
    const account = index + 1
    const made = { created_date: at('2024-12-01'), updated_date: at('2024-12-01') }
    add('accounts', {
      id: id(10, account),
      external_key: `account-${account}`,
      name: `Account ${account}`,
      currency,
      time_zone: 'UTC',
      reference_time: at('2024-12-01'),
      created_date: at('2024-12-01'),
    })
    for (const [isTagged, number] of [
      [isTest, 6],
      [isAutoPayOff, 1],
    ] as const)
      if (isTagged === true)
        add('tags', {
          ...tag(id(10, account), 'ACCOUNT', number),
          ...made,
          account_record_id: account,
          is_active: true,
          id: id(50, 900 + 10 * account + number),
        })
  }
  for (const [index, invoice] of invoices.entries()) addInvoice(invoice, index + 1, accounts, add, rows)
  return rows
}

function tag(object_id: string, object_type: string, number: number): Cells {
  return { object_id, object_type, tag_definition_id: `00000000-0000-0000-0000-00000000000${number}` }
}

function addInvoice(
  invoice: Invoice,
  place: number,
  accounts: readonly Account[],
  add: (table: string, cells: Cells) => void,
  rows: Readonly<Record<string, Cells[]>>,
): void {
  const { account, on, draft, voided, items, paid = [], tried = [], reversed, written_off, links = [] } = invoice
  const currency = invoice.currency ?? accounts[account - 1]?.currency ?? 'USD'
  const paying = { account_record_id: account, currency }
  const common = { ...paying, account_id: id(10, account) }
  const invoice_id = invoiceId(place)
  const made = at(draft ?? on)
  const status = invoice.status ?? (voided === undefined ? 'COMMITTED' : 'VOID')
  add('invoices', {
    ...common,
    id: invoice_id,
    invoice_date: draft ?? on,
    status,
    migrated: false,
    parent_invoice: invoice.isParent === true,
    created_date: made,
  })
  const history = (state: string, created_date: string) =>
    add('invoice_history', {
      ...common,
      target_record_id: place,
      invoice_date: on,
      status: state,
      change_type: 'UPDATE',
      created_date,
    })
  if (draft !== undefined) history('DRAFT', made)
  history('COMMITTED', at(on))
  if (voided !== undefined) history('VOID', at(voided))
  for (const item of items) {
    const number = (rows['invoice_items']?.length ?? 0) + 1
    add('invoice_items', {
      ...common,
      id: item.id ?? id(30, number),
      type: item.type,
      invoice_id,
      amount: item.amount,
      start_date: item.days?.[0] ?? on,
      end_date: item.days?.[1] ?? null,
      linked_item_id: item.link ?? null,
      phase_name: item.phase ?? null,
      child_account_id: item.child === undefined ? null : id(10, item.child),
      created_date: at(item.written ?? draft ?? on),
    })
  }
  const payment = (day: string, amount: string, type: string, state: string) => {
    const number = (rows['invoice_payments']?.length ?? 0) + 1
    add('invoice_payments', {
      ...paying,
      id: id(40, number),
      type,
      invoice_id,
      payment_date: at(day),
      amount,
      status: state,
      created_date: at(day),
    })
    return number
  }
  for (const [day, amount, type = 'ATTEMPT'] of paid) payment(day, amount, type, 'SUCCESS')
  if (tried.length > 0) addAttempts(tried, { place, invoice_id, paying }, add)
  if (reversed !== undefined) {
    const [charged, back, amount] = reversed
    const target_record_id = payment(back, amount, 'CHARGED_BACK', 'INIT')
    const cells = { ...paying, target_record_id, type: 'CHARGED_BACK', invoice_id, amount, change_type: 'UPDATE' }
    add('invoice_payment_history', { ...cells, payment_date: at(charged), status: 'SUCCESS', created_date: at(charged) })
    add('invoice_payment_history', { ...cells, payment_date: at(back), status: 'INIT', created_date: at(back) })
  }
  if (written_off !== undefined) {
    const [from, to] = written_off
    const times = { created_date: at(from), updated_date: at(to ?? from) }
    add('tags', {
      ...tag(invoice_id, 'INVOICE', 4),
      ...times,
      account_record_id: account,
      is_active: to === undefined,
      id: id(50, place),
    })
  }
  for (const child of links) {
    const child_account_id = String(rows['invoices']?.[child - 1]?.['account_id'])
    const cells = { parent_invoice_id: invoice_id, child_invoice_id: invoiceId(child), child_account_id, created_date: made }
    add('invoice_parent_children', { ...cells, id: id(60, child), account_record_id: account })
  }
}

/** A payment with its transactions. The row of the invoice has the last success, or amount 0 (KB 8.4). */
function addAttempts(
  tried: NonNullable<Invoice['tried']>,
  { place, invoice_id, paying }: { readonly place: number; readonly invoice_id: string; readonly paying: Cells },
  add: (table: string, cells: Cells) => void,
): void {
  const payment_id = id(70, place)
  const method = id(71, place)
  const success = tried.findLast(([, , status]) => status === 'SUCCESS')
  const [day = '', amount = ''] = success ?? tried.at(-1) ?? []
  const of = { account_record_id: paying['account_record_id'] ?? null }
  add('payment_methods', { ...of, id: method, external_key: method, account_id: payment_id, plugin_name: 'cards' })
  add('payments', { ...of, id: payment_id, account_id: payment_id, payment_method_id: method, external_key: payment_id })
  add('invoice_payments', {
    ...paying,
    id: id(41, place),
    type: 'ATTEMPT',
    invoice_id,
    payment_id,
    payment_date: at(day),
    amount: success === undefined ? '0' : amount,
    status: success === undefined ? 'INIT' : 'SUCCESS',
    created_date: at(day),
  })
  for (const [index, [on, asked, transaction_status, error]] of tried.entries())
    add('payment_transactions', {
      ...of,
      id: id(72, 100 * place + index),
      payment_id,
      transaction_type: 'PURCHASE',
      transaction_status,
      effective_date: at(on),
      amount: asked,
      gateway_error_code: error ?? null,
      created_date: at(on),
    })
}
