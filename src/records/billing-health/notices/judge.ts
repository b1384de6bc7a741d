import { sumOrNull } from '../../../core/amount.ts'
import { unitsOf } from '../../../core/currency.ts'
import { groupBy } from '../../../core/group-by.ts'
import { daysBefore } from '../../../core/periods.ts'
import { dayOrNull, integerCell, integerOrNull, textCell, textOf } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import { NOTICE_FACTS, NOTICE_KINDS } from './kinds.ts'
import { amountOf, byAmount, customerOf, dayIn, isUnpriced, keyOf, monthly, mrrOf, notice } from './notice.ts'
import type { Notice, NoticeList } from './rows.ts'

/** An invoice is at risk from this age on, in days. */
const AT_RISK_AFTER = 30

/** The rows that the statements of sql/billing_health have found. */
export interface FoundFacts {
  readonly running: readonly Row[]
  readonly invoices: readonly Row[]
  readonly facts: readonly Row[]
  /** The day up to which the rows prove that something did not happen. */
  readonly today: string
  /** Why the price of a plan cannot be read, as the end of a sentence; undefined if there is none. */
  readonly priceFlaw: (plan: string, currency: string | null) => string | undefined
}

/** All notices, the largest amount of a month first (H6). */
export function noticesOf(found: FoundFacts): readonly Notice[] {
  return [...ofSubscriptions(found), ...ofInvoices(found), ...ofParents(found), ...ofCustomers(found)].sort(byAmount)
}

/** The sums of each list, also of those without rows. Those of `unknown` lists are null. */
export function listsOf(notices: readonly Notice[], unknown: readonly string[]): readonly NoticeList[] {
  return NOTICE_KINDS.map((kind) => {
    const own = notices.filter((notice) => notice.kind === kind)
    const about = { kind, description: NOTICE_FACTS[kind].description }
    if (unknown.includes(kind)) return { ...about, count: null, amount_base_cents: null, monthly_base_cents: null }
    return {
      ...about,
      count: own.length,
      amount_base_cents: sumOrNull(own.map((notice) => notice.amount_base_cents)),
      monthly_base_cents: sumOrNull(own.map((notice) => notice.monthly_base_cents)),
    }
  })
}

function ofSubscriptions({ running, facts, priceFlaw }: FoundFacts): readonly Notice[] {
  const factOf = (kind: string) => {
    const own = facts.filter((fact) => fact['kind'] === kind)
    return new Map(own.map((fact) => [keyOf(fact, 'subscription_id'), fact]))
  }
  const loose = factOf('addon_without_entitlement')
  const usage = factOf('usage_not_invoiced')
  const named = new Map(running.map((row) => [keyOf(row, 'subscription_id'), row]))
  return [
    ...running.flatMap((row) => {
      const fact = loose.get(keyOf(row, 'subscription_id'))
      const sentence = `The entitlement of the add-on has ended, and it is billed ${monthly(row, 'mrr_cents')} without an end.`
      return fact === undefined
        ? []
        : [notice(row, { kind: 'addon_without_entitlement', since: dayIn(fact), sentence, ...mrrOf([row]) })]
    }),
    ...running.filter(isUnpriced).map((row) =>
      notice(row, {
        kind: 'without_price',
        sentence: unpricedText(row, priceFlaw),
        monthly_cents: null,
        monthly_base_cents: null,
      }),
    ),
    ...running.flatMap((row) => belowList(row)),
    ...[...usage].map(([key, fact]) =>
      notice(
        { ...named.get(key), ...fact },
        {
          kind: 'usage_not_invoiced',
          since: dayIn(fact),
          sentence: `Usage of ${daysText(Number(textOf(fact, 'detail')))} is on no invoice.`,
          amount_cents: null,
          amount_base_cents: null,
        },
      ),
    ),
  ]
}

function unpricedText(row: Row, priceFlaw: FoundFacts['priceFlaw']): string {
  const [plan, currency] = [textOf(row, 'plan_id'), textCell(row, 'currency')]
  const flaw = priceFlaw(plan, currency)
  const known = `No price of ${plan} in ${currency ?? 'its currency'} is known`
  return flaw === undefined ? `${known}.` : `${known}: ${flaw}.`
}

function belowList(row: Row): readonly Notice[] {
  const listed = integerOrNull(row, 'list_cents')
  const below = (listed ?? 0) - integerCell(row, 'agreed_cents')
  if (listed === null || below <= 0 || isUnpriced(row)) return []
  return [
    notice(row, {
      kind: 'below_list_price',
      since: dayIn(row, 'paid_since'),
      sentence: `Agreed: ${monthly(row, 'agreed_cents')}. List price of today: ${monthly(row, 'list_cents')}.`,
      monthly_cents: below,
      monthly_base_cents: integerOrNull(row, 'below_base_cents'),
    }),
  ]
}

function ofInvoices({ invoices, facts, today }: FoundFacts): readonly Notice[] {
  const byId = new Map(invoices.map((row) => [keyOf(row, 'invoice_id'), row]))
  return facts.flatMap((fact): readonly Notice[] => {
    const invoice = byId.get(keyOf(fact, 'invoice_id'))
    const kind = textOf(fact, 'kind')
    if (invoice === undefined || (dayOrNull(invoice, 'invoice_date') ?? '') >= today || (dayIn(fact) ?? '') >= today) return []
    const common = { since: dayOrNull(invoice, 'invoice_date'), ...amountOf([invoice]) }
    const why = textCell(fact, 'detail')
    if (kind === 'never_attempted' && integerCell(invoice, 'balance_cents') > 0)
      return [notice(invoice, { kind, sentence: `Nobody has tried to collect it${why === null ? '' : `: ${why}`}.`, ...common })]
    if (kind === 'child_not_on_parent' && integerCell(invoice, 'amount_cents') > 0)
      return [notice(invoice, { kind, sentence: `A parent pays for the customer, but ${lackText(why)}.`, ...common })]
    return []
  })
}

/** The reason why an invoice of a child is listed, in words. */
function lackText(why: string | null): string {
  if (why === 'draft') return 'the invoice of the parent is still a draft'
  return 'the invoice could not be matched with one of the parent'
}

/** Amounts that the invoice of a parent still asks for, although an invoice of its child no longer does. */
function ofParents({ facts }: FoundFacts): readonly Notice[] {
  return facts.flatMap((fact): readonly Notice[] => {
    const kind = textOf(fact, 'kind')
    if (kind !== 'child_credit_on_parent' && kind !== 'child_void_on_parent') return []
    const currency = textCell(fact, 'amount_currency')
    const cents = integerCell(fact, 'amount_cents')
    const asked = `invoice ${textOf(fact, 'detail')} of the parent asks for it`
    const sentence =
      kind === 'child_void_on_parent'
        ? `The invoice is void, and ${asked}.`
        : `Credit of the customer was used for ${unitsOf(cents, currency ?? '')} ${currency ?? ''} of the invoice, and ${asked}, too.`
    const amounts = { currency, amount_cents: cents, amount_base_cents: integerOrNull(fact, 'amount_base_cents') }
    return [notice(fact, { kind, since: dayIn(fact), sentence, ...amounts })]
  })
}

function ofCustomers({ running, invoices, facts, today }: FoundFacts): readonly Notice[] {
  const limit = daysBefore(today, AT_RISK_AFTER)
  const isOld = (row: Row) => integerCell(row, 'balance_cents') > 0 && (dayOrNull(row, 'invoice_date') ?? today) < limit
  const old = groupBy(invoices.filter(isOld), customerOf)
  const overdue = groupBy(
    facts.filter((fact) => fact['kind'] === 'overdue'),
    customerOf,
  )
  const last = new Map(facts.filter((fact) => fact['kind'] === 'last_invoice').map((fact) => [customerOf(fact), dayIn(fact)]))
  return [...groupBy(running, customerOf)].flatMap(([key, own]): readonly Notice[] => {
    const paid = own.filter((row) => integerCell(row, 'mrr_cents') > 0)
    const [first] = paid
    if (first === undefined) return []
    const subject = { ...first, subscription_id: null, plan_id: null }
    const unpaid = old.get(key) ?? []
    const [state] = overdue.get(key) ?? []
    const oldest = unpaid.map((row) => dayOrNull(row, 'invoice_date') ?? today).sort()[0]
    const risks = [
      ...(state === undefined ? [] : [`The customer is overdue (${textOf(state, 'detail')}).`]),
      ...(unpaid.length === 0
        ? []
        : [`${unpaid.length === 1 ? 'An invoice is' : `${unpaid.length} invoices are`} unpaid for more than 30 days.`]),
    ]
    const invoiced = last.get(key) ?? null
    const silent = paid.filter((row) => isSilent(row, invoiced, today))
    const begin = silent.map((row) => dayIn(row, 'paid_since') ?? today).sort()[0]
    return [
      ...(risks.length === 0
        ? []
        : [
            notice(subject, {
              kind: 'mrr_at_risk',
              since: oldest ?? dayIn(state ?? {}),
              sentence: risks.join(' '),
              ...(unpaid.length > 0 && amountOf(unpaid)),
              ...mrrOf(paid),
            }),
          ]),
      ...(begin === undefined
        ? []
        : [
            notice(subject, {
              kind: 'silent_account',
              since: invoiced ?? begin,
              sentence: invoiced === null ? 'The customer has never had an invoice.' : `The last invoice is of ${invoiced}.`,
              ...mrrOf(paid),
            }),
          ]),
    ]
  })
}

/** True if the subscription has been paid for longer than its billing period, and no invoice came in a period. */
function isSilent(row: Row, invoiced: string | null, today: string): boolean {
  const days = integerOrNull(row, 'period_days') ?? 0
  if (days === 0) return false
  const limit = daysBefore(today, days)
  return (dayIn(row, 'paid_since') ?? today) < limit && (invoiced === null || invoiced < limit)
}

function daysText(days: number): string {
  return days === 1 ? 'a day' : `${days} days`
}
