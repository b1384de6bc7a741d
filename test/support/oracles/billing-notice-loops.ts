import Big from 'big.js'
import type { Row } from '../../../src/connector-kit/connector.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import type { Tables } from '../data/killbill/tables.ts'
import { TO_MONTH } from './billing-health-loops.ts'
import { catalogsOf, type FoldedCustomer, parentLinksOf } from './fold/fold-tables.ts'
import { groupBy } from './killbill/fold/group.ts'
import { baseCents, rateTable } from './killbill/fold/rates.ts'
import type { Span } from './killbill/fold/span.ts'
import { surplusOf } from './parent-surplus-loops.ts'

/** A notice by plain loops (H6): what it is about, and its amounts in base cents. */
export interface JudgedNotice {
  readonly kind: string
  readonly customer_id: string
  readonly subject: string | null
  readonly since: string | null
  readonly amount: number | null
  readonly monthly: number | null
}

interface Asked {
  readonly now: string
  readonly rates: readonly FxRate[]
}

/** An invoice that is open, with its balance and total in cents of its currency. */
interface Open {
  readonly row: Row
  readonly balance: number
  readonly total: number
}

const DAY = 86_400_000
const TEST = '00000000-0000-0000-0000-000000000006'
const WRITTEN_OFF = '00000000-0000-0000-0000-000000000004'
const CLEAR = '__KILLBILL__CLEAR__OVERDUE_STATE__'
/** Digits after the point of currencies that do not have two. */
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, KWD: 3, BHD: 3, TND: 3 }

const text = (cell: unknown): string => String(cell).slice(0, 19)
const dayOf = (cell: unknown): string => String(cell).slice(0, 10)
const is = (cell: unknown): boolean => cell === true || cell === 't' || cell === 1
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
const instantBefore = (now: string, days: number): string =>
  new Date(Date.parse(`${now.replace(' ', 'T')}Z`) - days * DAY).toISOString().replace('T', ' ').slice(0, 19)
const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.includes(null) ? null : amounts.reduce<number>((sum, one) => sum + Number(one), 0)

/** Every notice about the folded accounts, judged account by account from the raw rows. */
export function judgedNotices(
  customers: readonly FoldedCustomer[],
  tables: Tables,
  { now, rates }: Asked,
): readonly JudgedNotice[] {
  const rate = rateTable(rates, 'USD')
  const today = dayOf(now)
  const based = (cents: number, currency: string | null) => baseCents(cents, currency, shifted(today, -1), rate)
  const phaseOf = phases(tables, now)
  const paid = new Set(customers.flatMap(({ paid_invoices }) => paid_invoices).map(({ invoice_id }) => invoice_id))
  const links = parentLinksOf(tables, now)
  const balances = invoiceBalances(tables, links, now)
  const surplus = surplusOf(tables, now)
  return customers.flatMap((customer): readonly JudgedNotice[] => {
    const { account } = customer
    const customer_id = String(account['id'])
    const own = (table: string) =>
      tables(table).filter((row) => String(row['account_record_id']) === String(account['record_id']))
    const tags = own('tags').filter((tag) => is(tag['is_active']))
    if (tags.some((tag) => tag['object_type'] === 'ACCOUNT' && tag['tag_definition_id'] === TEST)) return []
    const made = (kind: string, told: Partial<JudgedNotice>): JudgedNotice => ({
      ...{ kind, customer_id, subject: null, since: null, amount: 0, monthly: 0 },
      ...told,
    })
    const notices: JudgedNotice[] = []

    const running = customer.spans.filter(
      (span) => span.valid_from <= now && (span.valid_to === null || span.valid_to > now) && span.status === 'active',
    )
    const mrr = (spans: readonly Span[]) =>
      sumOf(spans.map((span) => (span.is_unpriced ? null : based(span.mrr_cents, span.currency))))
    for (const span of running) {
      const about = { subject: span.subscription_id }
      const subscription = own('subscriptions').find((row) => row['id'] === span.subscription_id)
      const ended = own('blocking_states').filter(
        (row) =>
          is(row['is_active']) &&
          row['blockable_id'] === span.subscription_id &&
          row['service'] === 'entitlement-service' &&
          row['state'] === 'ENT_CANCELLED' &&
          text(row['effective_date']) <= now &&
          text(row['created_date']) <= now,
      )
      const members = own('subscriptions').filter(
        (row) =>
          row['bundle_id'] === subscription?.['bundle_id'] && (row['id'] === span.subscription_id || row['category'] === 'BASE'),
      )
      const hasEnd = tables('subscription_events').some(
        (event) =>
          is(event['is_active']) &&
          members.some((member) => member['id'] === event['subscription_id']) &&
          (event['user_type'] === 'CANCEL' || event['event_type'] === 'EXPIRED'),
      )
      if (subscription?.['category'] === 'ADD_ON' && ended.length > 0 && !hasEnd) {
        const since = dayOf(ended.map((row) => text(row['effective_date'])).sort()[0])
        notices.push(made('addon_without_entitlement', { ...about, since, monthly: mrr([span]) }))
      }
      if (span.is_unpriced) {
        notices.push(made('without_price', { ...about, monthly: null }))
        continue
      }
      const { list } = phaseOf(account, span)
      if (list !== null && list > span.subscription_mrr_cents) {
        const since = paidSince(customer.spans, span)
        const monthly = based(list - span.subscription_mrr_cents, span.currency)
        notices.push(made('below_list_price', { ...about, since, monthly }))
      }
    }

    const committed = own('invoices').filter(
      (row) => row['status'] === 'COMMITTED' && text(row['created_date']) <= instantBefore(now, 1),
    )
    const open = own('invoices').flatMap((row): readonly Open[] => {
      const found = balances.get(String(row['id']))
      const isOpen =
        row['status'] === 'COMMITTED' &&
        !is(row['migrated']) &&
        (found?.balance !== 0 || !paid.has(String(row['id']))) &&
        found?.is_written_off === false
      return found !== undefined && isOpen ? [{ row, ...found }] : []
    })
    const isDelegated = account['parent_account_id'] !== null && is(account['is_payment_delegated_to_parent'])
    for (const { row, balance, total } of open.filter(
      ({ row }) => committed.includes(row) && dayOf(row['invoice_date']) < today,
    )) {
      const [id, currency] = [String(row['id']), String(row['currency'])]
      const link = links.find((one) => one.child_invoice_id === row['id'])
      const parent = tables('invoices').find((one) => link !== undefined && one['id'] === link.parent_invoice_id)
      const isLate = parent?.['status'] === 'DRAFT' && text(parent['created_date']) <= instantBefore(now, 2)
      const hasTried = tables('invoice_payments').some((one) => one['invoice_id'] === row['id'])
      const about = { subject: id, since: dayOf(row['invoice_date']), amount: based(balance === 0 ? total : balance, currency) }
      if (!isDelegated && link === undefined && !hasTried && balance > 0) notices.push(made('never_attempted', about))
      if (isDelegated && (link === undefined || isLate) && (balance === 0 ? total : balance) > 0)
        notices.push(made('child_not_on_parent', about))
    }

    for (const { kind, invoice, since, cents } of surplus)
      if (invoice['account_record_id'] === account['record_id'])
        notices.push(
          made(kind, { subject: String(invoice['id']), since: dayOf(since), amount: based(cents, String(invoice['currency'])) }),
        )

    const used = new Map<string, string[]>()
    for (const row of own('rolled_up_usage')) {
      const day = dayOf(row['record_date'])
      const isCounted = text(row['created_date']) <= now && Number(row['amount']) > 0
      // Usage is dated at 00:00 of its day, and now is the last instant of its second.
      const isOld = `${day} 00:00:00` > shiftedYear(now) && `${day} 00:00:00` <= instantBefore(now, 62)
      const isBilled = own('invoice_items').some(
        (item) =>
          item['type'] === 'USAGE' &&
          item['subscription_id'] === row['subscription_id'] &&
          text(item['created_date']) <= now &&
          tables('invoices').some((invoice) => invoice['id'] === item['invoice_id'] && invoice['status'] !== 'VOID') &&
          item['end_date'] !== null &&
          dayOf(item['start_date']) <= day &&
          day <= dayOf(item['end_date']),
      )
      const id = String(row['subscription_id'])
      if (isCounted && isOld && !isBilled) used.set(id, [...(used.get(id) ?? []), day])
    }
    for (const [subject, days] of used)
      notices.push(made('usage_not_invoiced', { subject, since: days.sort()[0] ?? null, amount: null }))

    const paying = running.filter((span) => span.mrr_cents > 0)
    if (paying.length === 0) return notices
    const old = open.filter(({ row, balance }) => balance > 0 && dayOf(row['invoice_date']) < shifted(today, -30))
    const states = own('blocking_states')
      .filter(
        (row) =>
          is(row['is_active']) &&
          row['service'] === 'overdue-service' &&
          row['type'] === 'ACCOUNT' &&
          text(row['effective_date']) <= now &&
          text(row['created_date']) <= now,
      )
      .sort((a, b) => (newness(a) < newness(b) ? -1 : 1))
    const state = states.at(-1)
    const isOverdue = state !== undefined && state['state'] !== CLEAR
    if (isOverdue || old.length > 0) {
      const since = old.map(({ row }) => dayOf(row['invoice_date'])).sort()[0] ?? dayOf(state?.['effective_date'])
      const amount = sumOf(old.map(({ row, balance }) => based(balance, String(row['currency']))))
      notices.push(made('mrr_at_risk', { since, amount, monthly: mrr(paying) }))
    }
    const last = own('invoices')
      .filter((row) => row['status'] !== 'VOID' && text(row['created_date']) <= now)
      .map((row) => dayOf(row['invoice_date']))
      .sort()
      .at(-1)
    const silent = paying.filter((span) => {
      const { days } = phaseOf(account, span)
      const limit = shifted(today, -days)
      return days > 0 && paidSince(customer.spans, span) < limit && (last === undefined || last < limit)
    })
    const since = last ?? silent.map((span) => paidSince(customer.spans, span)).sort()[0]
    if (silent.length > 0) notices.push(made('silent_account', { since: since ?? null, monthly: mrr(paying) }))
    return notices
  })
}

const newness = (row: Row): string =>
  `${text(row['effective_date'])} ${text(row['created_date'])} ${String(row['record_id']).padStart(12, '0')}`

const shiftedYear = (instant: string): string => `${Number(instant.slice(0, 4)) - 1}${instant.slice(4)}`

/** The day since which a subscription has a recurring amount: the end of its last stretch without one, else its begin. */
function paidSince(spans: readonly Span[], { subscription_id }: Span): string {
  const own = spans.filter((span) => span.subscription_id === subscription_id)
  let since = own[0]?.valid_from ?? ''
  for (const span of own) if (span.subscription_mrr_cents === 0 && span.valid_to !== null) since = span.valid_to
  return dayOf(since)
}

/** The balance and the total of each invoice, and whether it or its payer is written off. A payer without a balance settles its children. */
function invoiceBalances(tables: Tables, links: ReturnType<typeof parentLinksOf>, now: string) {
  const written = new Set(
    tables('tags')
      .filter((tag) => is(tag['is_active']) && tag['object_type'] === 'INVOICE' && tag['tag_definition_id'] === WRITTEN_OFF)
      .map((tag) => tag['object_id']),
  )
  const add = (rows: readonly Row[]) => rows.reduce((sum, row) => sum.plus(String(row['amount'])), new Big(0))
  const ofInvoice = (table: string) => groupBy(tables(table), (row) => String(row['invoice_id']))
  const [allItems, allPayments] = [ofInvoice('invoice_items'), ofInvoice('invoice_payments')]
  const invoices = new Map(tables('invoices').map((row) => [row['id'], row]))
  const itemsOf = ({ id }: Row) => (allItems.get(String(id)) ?? []).filter((item) => text(item['created_date']) <= now)
  const balanceOf = (row: Row): Big => {
    if (row['status'] !== 'COMMITTED' || is(row['migrated']) || written.has(row['id'] ?? null)) return new Big(0)
    const payments = (allPayments.get(String(row['id'])) ?? []).filter(
      (one) => one['status'] === 'SUCCESS' && text(one['payment_date']) <= now,
    )
    return add(itemsOf(row))
      .minus(add(payments))
      .round(DIGITS[String(row['currency'])] ?? 2, Big.roundHalfUp)
  }
  const cents = (amount: Big) => Number(amount.times(100).round(0, Big.roundHalfUp))
  return new Map(
    tables('invoices').map((row) => {
      const payers = links
        .filter((link) => link.child_invoice_id === row['id'])
        .flatMap((link): readonly Row[] => {
          const payer = invoices.get(link.parent_invoice_id)
          return payer === undefined ? [] : [payer]
        })
      const isSettled = payers.some((payer) => balanceOf(payer).eq(0))
      const items = itemsOf(row)
      const moves = items.every((item) => ['CREDIT_ADJ', 'CBA_ADJ'].includes(String(item['type'])))
      const hasCredit = items.some((item) => item['type'] === 'CREDIT_ADJ')
      const isMove = moves && hasCredit && add(items).eq(0)
      const total = isMove ? 0 : cents(add(items.filter((item) => item['type'] !== 'CBA_ADJ')))
      const is_written_off = [row, ...payers].some(({ id }) => written.has(id ?? null))
      return [String(row['id']), { balance: isSettled ? 0 : cents(balanceOf(row)), total, is_written_off }] as const
    }),
  )
}

/** The days of a billing period with a day more, and today's list price of a month in cents, of the phase that a span is in. */
function phases(tables: Tables, now: string) {
  const catalogs = catalogsOf(tables)
  return (account: Row, span: Span): { readonly days: number; readonly list: number | null } => {
    const { versions = [], overrides } = catalogs.find(({ tenantKey }) => tenantKey === Number(account['tenant_record_id'])) ?? {}
    const number = /-(\d+)$/.exec(span.plan)?.[1]
    const name = overrides?.get(Number(number))?.parent_plan_name ?? span.plan
    const type = span.phase_type?.toUpperCase()
    const phaseIn = (version: (typeof versions)[number] | undefined) => {
      const plan = [...(version?.plans.values() ?? [])].find((one) => one.name === name)
      return plan?.phases.find((phase) => phase.type === type)?.recurring
    }
    const effective = versions
      .filter(({ effective_at }) => effective_at.getTime() <= Date.parse(`${now.replace(' ', 'T')}Z`))
      .sort((a, b) => a.effective_at.getTime() - b.effective_at.getTime())
    const today = phaseIn(effective.at(-1))
    const [times, divided] = TO_MONTH[
      [...versions].map(phaseIn).find((one) => one !== undefined && one !== null)?.billing_period ?? ''
    ] ?? [0, 0]
    // A trial is free by its type (D24).
    const price = type === 'TRIAL' ? undefined : today?.prices.size === 0 ? '0' : today?.prices.get(String(span.currency))
    const [by, per] = TO_MONTH[today?.billing_period ?? ''] ?? [0, 1]
    return {
      days: times === 0 ? 0 : Math.floor((365 * divided) / (12 * times)) + 2,
      list:
        price === undefined || price === null || by === 0
          ? null
          : Number(
              new Big(price).times(100).times(span.quantity).round(0, Big.roundHalfUp).times(by).div(per).round(0, Big.roundDown),
            ),
    }
  }
}
