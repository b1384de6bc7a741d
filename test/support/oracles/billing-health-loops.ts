import Big from 'big.js'
import type { Row } from '../../../src/connector-kit/connector.ts'
import type { Tables } from '../data/killbill/tables.ts'
import { catalogsOf, type FoldedCustomer } from './fold/fold-tables.ts'
import type { Span } from './killbill/fold/span.ts'
import { offsetOf } from './local-days.ts'

/** A day of one subscription on which something is agreed or billed. */
export interface JudgedDay {
  readonly subscription_id: string
  readonly day: string
  readonly class: string
  readonly agreed: number
  readonly billed: number
}

const DAY = 86_400_000
const TEST = '00000000-0000-0000-0000-000000000006'
const PARK = '00000000-0000-0001-0000-000000000001'
const INVOICING_OFF = '00000000-0000-0000-0000-000000000002'
/** Rows that take back other rows, and change nothing themselves (KB 2.3). */
const UNDOING = ['UNCANCEL', 'UNDO_CHANGE']
const START = ['CREATE', 'TRANSFER', 'CHANGE']
/** An amount of a period becomes that of a month: times the first number, divided by the second (D23). */
export const TO_MONTH: Readonly<Record<string, readonly [number, number]>> = {
  DAILY: [365, 12],
  WEEKLY: [52, 12],
  BIWEEKLY: [52, 24],
  THIRTY_DAYS: [365, 360],
  THIRTY_ONE_DAYS: [365, 372],
  SIXTY_DAYS: [365, 720],
  NINETY_DAYS: [365, 1080],
  MONTHLY: [1, 1],
  BIMESTRIAL: [1, 2],
  TRIANNUAL: [1, 4],
  QUARTERLY: [1, 3],
  BIANNUAL: [1, 6],
  ANNUAL: [1, 12],
  SESQUIENNIAL: [1, 18],
  BIENNIAL: [1, 24],
  TRIENNIAL: [1, 36],
}

const at = (cell: unknown): number => Date.parse(`${String(cell).replace(' ', 'T').slice(0, 19)}Z`)
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)
const is = (cell: unknown): boolean => cell === true || cell === 't' || cell === 'true' || cell === 1 || cell === '1'

/** Judges each local day of each subscription of these accounts from `first` to `last`, one after the other, from the raw rows. */
export function judgedDays(
  customers: readonly FoldedCustomer[],
  tables: Tables,
  { first, last, now }: { readonly first: string; readonly last: string; readonly now: string },
): readonly JudgedDay[] {
  const periodOf = periods(tables)
  return customers.flatMap((customer) => {
    const key = String(customer.account['record_id'])
    const own = (table: string) => tables(table).filter((row) => String(row['account_record_id']) === key)
    const offset = offsetOf(customer.account)
    const localDay = (instant: number) => dayText(instant + offset)
    const today = localDay(at(now))
    const invoices = new Map(own('invoices').map((row) => [row['id'], row]))
    const items = own('invoice_items').filter((row) => invoices.get(row['invoice_id'])?.['status'] !== 'VOID')
    const subscriptions = own('subscriptions')
    const failedFrom = failure(subscriptions, tables, own('blocking_states'))
    const tagFrom = (definition: string) =>
      Math.min(
        ...own('tags')
          .filter((tag) => is(tag['is_active']) && tag['object_type'] === 'ACCOUNT' && tag['tag_definition_id'] === definition)
          .map((tag) => at(tag['created_date'])),
      )
    if (Number.isFinite(tagFrom(TEST))) return []
    const parkedFrom = tagFrom(PARK) - DAY
    const offFrom = tagFrom(INVOICING_OFF)
    const overdue = overdueBlocks(own('blocking_states'), now)
    return subscriptions.flatMap((subscription) => {
      const id = String(subscription['id'])
      const spans = customer.spans.filter((span) => span.subscription_id === id)
      const events = tables('subscription_events').filter(
        (event) => event['subscription_id'] === id && is(event['is_active']) && !UNDOING.includes(String(event['user_type'])),
      )
      const charges = items.filter(
        (item) => item['type'] === 'RECURRING' && item['subscription_id'] === id && Number(item['rate']) !== 0,
      )
      const repairs = items.filter(
        (item) => item['type'] === 'REPAIR_ADJ' && charges.some((charge) => charge['id'] === item['linked_item_id']),
      )
      const days: JudgedDay[] = []
      for (let time = at(first); dayText(time) <= last && dayText(time) < today; time += DAY) {
        const day = dayText(time)
        const end = time + DAY - offset
        const span = spans.find(({ valid_from, valid_to }) => at(valid_from) < end && (valid_to === null || at(valid_to) >= end))
        const covers = (row: Row) => String(row['start_date']) <= day && day < String(row['end_date'])
        const due = charges.filter(
          (charge) => covers(charge) && !repairs.some((repair) => repair['linked_item_id'] === charge['id'] && covers(repair)),
        )
        if (span === undefined && due.length === 0) continue
        const agreed = span?.subscription_mrr_cents ?? 0
        const billed = due.reduce((sum, charge) => sum + monthly(charge, periodOf), 0)
        const reached = (instant: number) => localDay(instant) <= day
        const kind = (): string => {
          if (due.length > 1) return 'double_billed'
          if (agreed === billed) return 'healthy'
          if (Number.isFinite(failedFrom) && reached(failedFrom)) return 'invoicing_failed'
          if (Number.isFinite(parkedFrom) && reached(parkedFrom)) return 'account_parked'
          if (agreed === 0 && overdue.some(({ from, to }) => from < end && to >= end)) return 'overdue_block'
          if (Number.isFinite(offFrom) && reached(offFrom)) return 'invoicing_off'
          if (span === undefined) {
            const ended = spans.at(-1)
            return ended?.end_reason === 'bundle_transfer' ? 'transferred' : 'billed_after_end'
          }
          if (billed > 0 && isReverted(span, billed, spans, events, end)) return 'quantity_reverted'
          return due.length === 0 ? 'not_billed' : 'other'
        }
        days.push({ subscription_id: id, day, class: kind(), agreed, billed })
      }
      return days
    })
  })
}

/** The engine has the quantity of the last event other than a change of quantity, because a price date came after the change. */
function isReverted(span: Span, billed: number, spans: readonly Span[], events: readonly Row[], end: number): boolean {
  const before = events.filter((event) => at(event['effective_date']) < end)
  const base = before.filter((event) => START.includes(String(event['user_type'])) || event['event_type'] === 'PHASE')
  const turn = Math.max(...base.map((event) => at(event['effective_date'])))
  const priced = spans.filter(
    ({ start_reason, valid_from }) => start_reason === 'price' && at(valid_from) > turn && at(valid_from) < end,
  )
  const date = Math.max(...priced.map(({ valid_from }) => at(valid_from)))
  if (!Number.isFinite(date) || before.some((event) => at(event['effective_date']) > date)) return false
  const set = before
    .filter((event) => event['event_type'] === 'QUANTITY_UPDATE' && at(event['effective_date']) <= turn)
    .sort((a, b) => at(a['effective_date']) - at(b['effective_date']) || Number(a['record_id']) - Number(b['record_id']))
  const quantity = Math.max(Number(set.at(-1)?.['quantity'] ?? 1), 1)
  return Math.abs(billed * span.quantity - span.subscription_mrr_cents * quantity) <= span.quantity * quantity
}

/** The instant from which each invoice run of the account fails; infinite if none does. */
function failure(subscriptions: readonly Row[], tables: Tables, blocks: readonly Row[]): number {
  const causes = subscriptions.flatMap((subscription) => {
    const events = tables('subscription_events').filter(
      (event) => event['subscription_id'] === subscription['id'] && is(event['is_active']),
    )
    const lost = events.filter((event) => event['user_type'] === 'TRANSFER' && (event['plan_name'] ?? '') === '')
    const expired = events.find((event) => event['event_type'] === 'EXPIRED')
    if (expired === undefined) return lost
    const isLate = (row: Row) => at(row['effective_date']) >= at(expired['effective_date'])
    const pauses = blocks.filter(
      (row) =>
        is(row['is_active']) &&
        is(row['block_billing']) &&
        [subscription['id'], subscription['bundle_id']].includes(row['blockable_id']),
    )
    return [
      ...lost,
      ...events.filter((event) => event['event_type'] === 'QUANTITY_UPDATE' && isLate(event)),
      ...pauses.filter(isLate),
    ]
  })
  return Math.min(...causes.map((row) => at(row['created_date'])))
}

/** Stretches of at least a day in which an overdue state blocks billing of the account (KB 5.2). */
function overdueBlocks(rows: readonly Row[], now: string): readonly { readonly from: number; readonly to: number }[] {
  const states = rows
    .filter((row) => is(row['is_active']) && row['service'] === 'overdue-service' && row['type'] === 'ACCOUNT')
    .map((row) => ({ at: at(row['effective_date']), blocks: is(row['block_billing']), order: Number(row['record_id']) }))
    .filter((state) => state.at <= at(now))
    .sort((a, b) => a.at - b.at || a.order - b.order)
  const found: { from: number; to: number }[] = []
  let from: number | undefined
  for (const state of states) {
    if (state.blocks) from ??= state.at
    else if (from !== undefined) {
      found.push({ from, to: state.at })
      from = undefined
    }
  }
  if (from !== undefined) found.push({ from, to: Number.POSITIVE_INFINITY })
  return found.filter((block) => block.to - block.from >= DAY)
}

function monthly(charge: Row, periodOf: (charge: Row) => string): number {
  const [times, divided] = TO_MONTH[periodOf(charge)] ?? []
  if (times === undefined || divided === undefined) throw new Error(`no months for ${JSON.stringify(charge)}`)
  const cents = new Big(String(charge['rate'])).times(100).round(0, Big.roundHalfUp)
  return Number(cents.times(times).div(divided).round(0, Big.roundDown))
}

/** The billing period of an item's phase, by the catalogs of the tenant. */
function periods(tables: Tables): (charge: Row) => string {
  const catalogs = catalogsOf(tables)
  return (charge) => {
    const { versions = [] } = catalogs.find(({ tenantKey }) => tenantKey === Number(charge['tenant_record_id'])) ?? {}
    const name = String(charge['plan_name'])
    const type = String(charge['phase_name']).replace(/^.*-/, '').toUpperCase()
    const plans = versions.flatMap((version) => [...version.plans.values()])
    const plan = plans.find((one) => one.name === name) ?? plans.find((one) => one.name === name.replace(/-\d+$/, ''))
    return plan?.phases.find((phase) => phase.type === type)?.recurring?.billing_period ?? ''
  }
}
