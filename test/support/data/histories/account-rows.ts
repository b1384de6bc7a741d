import type { GeneratedInvoice, GeneratedSubscription } from './drawn-account.ts'
import { PLANS } from './history-catalogs.ts'

export type Cells = Record<string, string | number | boolean | null>

/** Collects rows per table and numbers them. */
export interface RowSink {
  readonly tables: Record<string, Cells[]>
  add(table: string, row: Cells): number
}

/** An empty collection. */
export function rowSink(): RowSink {
  const tables: Record<string, Cells[]> = {}
  return {
    tables,
    add(table, row) {
      const rows = tables[table] ?? []
      tables[table] = rows
      rows.push({ record_id: rows.length + 1, ...row })
      return rows.length
    },
  }
}

interface Owner {
  readonly tenant_record_id: number
  readonly account_record_id: number
}

/**
 * Event rows of a subscription, as the engine writes them. A PHASE names the next phase of the plan in force. The first row
 * may lack its plan name if it is a TRANSFER.
 */
export function addEvents(
  sink: RowSink,
  id: string,
  drawn: GeneratedSubscription,
  owner: Owner,
  transferredAt: string | null,
): void {
  const names = PLANS[drawn.category]
  const begin = transferredAt ?? drawn.start
  const first = { kind: 'CREATE', at: begin, plan: drawn.plan, list: 'DEFAULT', quantity: 0, is_active: true } as const
  // A phase follows the plan in force, so rows are worked out in the order of their effect and stored in the order drawn.
  const inOrderDrawn = [first, ...drawn.happenings].map((one, index) => {
    const kind: string = index === 0 && transferredAt !== null ? 'TRANSFER' : one.kind
    // The engine never ends or changes a base before it begins, and add-ons hang on that.
    const reachesAddons = drawn.category === 'BASE' && ['CANCEL', 'EXPIRED', 'CHANGE'].includes(kind)
    return { ...one, at: reachesAddons && one.at < begin ? begin : one.at, index, kind, begins: BEGINNINGS.includes(kind) }
  })
  let [plan, position]: [string, number] = [drawn.plan, 0]
  const rows = [...inOrderDrawn].sort(byEffect).map(({ kind, begins, index, ...one }): readonly [number, Cells] => {
    const setsPlan = begins || kind === 'CHANGE'
    const isUser = !['PHASE', 'QUANTITY_UPDATE', 'EXPIRED', 'BCD_UPDATE'].includes(kind)
    const [named, after] = setsPlan ? [one.plan, 0] : [plan, position + 1]
    const phases = names[named] ?? []
    const next = Math.min(after, phases.length - 1)
    if (one.is_active && setsPlan) [plan, position] = [named, 0]
    if (one.is_active && kind === 'PHASE') position = next
    const namesPlan = setsPlan && !(kind === 'TRANSFER' && drawn.happenings.length % 2 === 1)
    return [
      index,
      {
        ...owner,
        subscription_id: id,
        event_type: isUser ? 'API_USER' : kind,
        user_type: isUser ? kind : null,
        effective_date: one.at,
        created_date: '2024-01-01 00:00:00',
        plan_name: namesPlan ? named : null,
        phase_name: setsPlan || kind === 'PHASE' ? `${named}-${phases[next]}` : null,
        price_list_name: setsPlan ? one.list : null,
        quantity: kind === 'QUANTITY_UPDATE' ? one.quantity : 0,
        is_active: one.is_active,
      },
    ]
  })
  for (const [, row] of rows.sort(([a], [b]) => a - b)) sink.add('subscription_events', row)
}

const BEGINNINGS: readonly string[] = ['CREATE', 'TRANSFER', 'RE_CREATE', 'MIGRATE_BILLING']

interface Placed {
  readonly at: string
  readonly begins: boolean
  readonly index: number
}

function byEffect(a: Placed, b: Placed): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return Number(b.begins) - Number(a.begins) || a.index - b.index
}

function later(a: string, b: string): string {
  return [a, b].sort()[1] ?? b
}

/** Rows of an invoice; `subscriptions` are those that its usage items may name. Dinars have digits that nobody pays. */
export function addInvoice(
  sink: RowSink,
  drawn: GeneratedInvoice,
  owner: Owner,
  currency: string,
  subscriptions: readonly string[],
): void {
  const number = (sink.tables['invoices']?.length ?? 0) + 1
  const id = `invoice-${number}`
  const common = { ...owner, account_id: `account-${owner.account_record_id}`, currency }
  const { created, status, migrated } = drawn
  sink.add('invoices', { ...common, id, status, migrated, created_date: created })
  let sum = 0
  const addItem = (type: string, amount: string, more: Cells): string => {
    const item = `item-${(sink.tables['invoice_items']?.length ?? 0) + 1}`
    const charged = currency === 'KWD' ? `${amount}${number % 2 === 0 ? '4' : '04'}` : amount
    sink.add('invoice_items', { ...common, id: item, invoice_id: id, type, amount: charged, created_date: created, ...more })
    sum += Number(charged)
    return item
  }
  for (const usage of drawn.usage) {
    const subscription_id = subscriptions[usage.target % subscriptions.length] ?? null
    const end = new Date(`${usage.start}T00:00:00Z`)
    end.setUTCMonth(end.getUTCMonth() + usage.months)
    const item = addItem('USAGE', usage.amount, {
      subscription_id,
      start_date: usage.start,
      end_date: usage.months === 0 ? null : end.toISOString().slice(0, 10),
    })
    if (usage.adjusted === null) continue
    const [at, amount] = usage.adjusted
    addItem('ITEM_ADJ', `-${amount.replace('-', '')}`, { linked_item_id: item, created_date: later(at, created) })
  }
  for (const [type, amount] of drawn.other) {
    // A customer who pays nothing and has credit settles with it, up to the amount due.
    const isUsed = type === 'CBA_ADJ' && drawn.payments.length === 0 && sum > 0
    addItem(type, isUsed ? (-sum).toFixed(2) : amount, {})
  }
  if (drawn.usage.length + drawn.other.length === 0) addItem('RECURRING', '10.00', {})
  for (const payment of drawn.payments) {
    const amount = ((sum * payment.percent) / 100).toFixed(2)
    sink.add('invoice_payments', { ...owner, invoice_id: id, currency, amount, status: payment.status, payment_date: payment.at })
  }
  if (drawn.drafted !== null) {
    const history = { ...common, target_record_id: number }
    sink.add('invoice_history', { ...history, status: 'DRAFT', created_date: created })
    sink.add('invoice_history', {
      ...history,
      status: 'COMMITTED',
      created_date: later(drawn.drafted, created),
    })
  }
  if (drawn.written_off !== null) {
    const tag = { object_id: id, object_type: 'INVOICE', tag_definition_id: '00000000-0000-0000-0000-000000000004' }
    const paid = drawn.payments.at(-1)?.at ?? created
    sink.add('tags', { ...owner, ...tag, created_date: drawn.written_off === 'paid' ? paid : drawn.written_off })
  }
}
