import Big from 'big.js'
import * as z from 'zod'
import { sql } from '../../compiler/fragment.ts'
import { BEGINNING, dayOf, dayOfNumber, daysBefore, numberOfDay, sqlNow } from '../../core/periods.ts'
import type { Question } from '../../execution/pipeline.ts'
import { compileData, type RunContext } from '../../execution/run.ts'
import { withOwnEnds } from '../../execution/session/swap-window.ts'
import { integerCell, integerOrNull, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { matchesText } from '../../query/condition-match.ts'
import { horizonOf } from '../../query/forecast.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { listFact, listFilters, ofCustomers } from '../filters.ts'
import { pageByDay } from '../pages-by-day.ts'
import { type PageAhead, questionAhead } from '../question-ahead.ts'
import { matchingSubscriptions } from '../subscription-conditions.ts'
import { asDeclared, warnOfMissingRates } from '../written-rows.ts'
import { type Billed, type Charge, chargesOf, type Term } from './charges.ts'
import { BILLING_INPUTS, type BillingRequest, parseBillings } from './request.ts'
import {
  BILLING_KINDS,
  BILLING_MONTH,
  BILLING_ROW,
  type Billing,
  type BillingKind,
  type BillingMonth,
  ESTIMATED,
} from './rows.ts'
import { keyOf, rhythmicDaysOf } from './terms.ts'

/** Relations without which charges to come cannot be listed. */
export const BILLING_READS: readonly string[] = ['billing_term', 'billed_stretch', 'customer', 'plan']

const FOUND = z.object({ months: z.array(BILLING_MONTH), rows: z.array(BILLING_ROW) })

type BillingPage = PageAhead<Billing, BillingMonth>

/** A term with the row that it comes from. */
interface OwnTerm extends Term {
  readonly row: Row
}

/** A subscription with its terms, in the order of time. */
interface Subscription {
  readonly terms: readonly OwnTerm[]
  readonly billed: Billed | undefined
  /** The local day of the account. */
  readonly today: number
}

type OwnCharge = Charge<OwnTerm>

/** The charges that the engine will make of what the billing database states now, by month, currency and kind (D91). */
export function billingsQuestion(params: Raw, spec: Raw, sets: readonly string[]): Question<BillingRequest, BillingPage> {
  const inputs = { ...BILLING_INPUTS, sets }
  return questionAhead(params, spec, {
    name: 'billings',
    inputs,
    row: BILLING_ROW,
    month: BILLING_MONTH,
    plan: (now, names) => parseBillings(params, spec, inputs, now, names),
    async run(request, context) {
      for (const warning of [...request.warnings, assumptions(context.session.now)]) context.warn(warning)
      const subscriptions = subscriptionsOf(await readTerms(request, context), context)
      const found = pageOf(subscriptions, request, context)
      return { ...found, ...asDeclared(FOUND, found, 'an answer about charges to come') }
    },
  })
}

function assumptions(now: Date) {
  const message = `From ${dayOf(now)} on, the charges are those of what the billing database already states: no new customer, no change or cancellation that nobody has requested. Usage is an estimate. Whether anybody pays is not foretold. Exchange rates are those of yesterday.`
  return { code: 'forecast', message } as const
}

/** The terms that the request is about, by subscription in the order of time. */
async function readTerms(request: BillingRequest, context: RunContext): Promise<readonly Row[]> {
  const { session } = context
  const horizon = session.calendar.instantOf(horizonOf(session.now))
  const found = await matchingSubscriptions(request.ofSubscription, context)
  const matching = found && new Set(found.map((row) => keyOf(row)))
  const filters = sql`${listFilters(ofCustomers(sql`fact.subscription_id`), { ...request, ofSubscription: [] }, listFact(context))}`
  const run = {
    template: 'data/billings',
    slots: { filters },
    params: { rate_day: daysBefore(dayOf(session.now), 1), until: sqlNow(horizon) },
    // The engine charges for a part of a period if it knows that the period ends early, however late that is.
    window: { from: BEGINNING, to: horizon },
  }
  const rows = await context.run(await compileData(run, request.audience, { ...context, session: withOwnEnds(session) }))
  return matching === undefined ? rows : rows.filter((row) => matching.has(keyOf(row)))
}

/** The subscriptions of these rows. Those of accounts without invoices have no charges, and neither have terms without a price: warnings name them. */
function subscriptionsOf(rows: readonly Row[], context: RunContext): readonly Subscription[] {
  const held = new Set(rows.filter(({ is_held }) => Number(is_held) === 1).map((row) => keyOf(row)))
  if (held.size > 0) {
    const message = `The engine makes no invoices for the accounts of ${held.size} subscriptions now: invoicing is switched off, or its runs fail. Their charges are left out.`
    context.warn({ code: 'partial', message, count: held.size })
  }
  const unpriced = rows.filter((row) => integerOrNull(row, 'period_micros') === null)
  if (unpriced.length > 0) {
    const count = new Set(unpriced.map((row) => keyOf(row))).size
    context.warn({
      code: 'unpriced_plan',
      message: `${count} subscriptions have terms without a known price. Their charges are left out.`,
      count,
    })
  }
  const found: Subscription[] = []
  let key = ''
  let terms: OwnTerm[] = []
  for (const row of rows) {
    const own = keyOf(row)
    if (held.has(own)) continue
    if (own !== key) {
      key = own
      terms = []
      found.push({ terms, billed: billedOf(row), today: integerCell(row, 'today_number') })
    }
    terms.push(termOf(row))
  }
  return found
}

function billedOf(row: Row): Billed | undefined {
  const to = integerOrNull(row, 'billed_end_number')
  return to === null ? undefined : { from: integerCell(row, 'billed_first_number'), to, cents: integerCell(row, 'billed_cents') }
}

function termOf(row: Row): OwnTerm {
  return {
    ...rhythmicDaysOf(row),
    row,
    currency: textCell(row, 'currency') ?? '',
    period_micros: integerOrNull(row, 'period_micros'),
    in_arrears: integerCell(row, 'is_in_arrears') === 1,
    is_ahead: integerCell(row, 'is_ahead') === 1,
    fixed_micros: integerCell(row, 'fixed_micros'),
    usage_cents: integerCell(row, 'usage_cents'),
  }
}

/** The sums and the asked page. */
function pageOf(subscriptions: readonly Subscription[], request: BillingRequest, context: RunContext): BillingPage {
  const { limit, offset } = request
  const months = new Map<string, BillingMonth>()
  const unrated = new Set<string>()
  const seen = (charge: OwnCharge) => {
    const base = baseOf(charge, context)
    if (base === null) unrated.add(charge.term.currency)
    addTo(months, charge, base)
  }
  const order = { dayOf: ({ billed_on }: OwnCharge) => billed_on, inOrder, seen }
  const { total, items } = pageByDay((days) => askedOf(subscriptions, request, days), order, request)
  warnOfMissingRates(unrated, context)
  return {
    total,
    limit,
    offset,
    months: [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, month]) => month),
    rows: items.map((charge) => rowOf(charge, context)),
  }
}

/** The charges that the request asks for, and of `days` only if they are given. */
function* askedOf(
  subscriptions: readonly Subscription[],
  { start, end, ofKind, isFromNow }: BillingRequest,
  days?: ReadonlySet<number>,
): Generator<OwnCharge, void> {
  const [first, last] = [numberOfDay(start), numberOfDay(end)]
  const kinds = Object.keys(BILLING_KINDS).filter((kind) => ofKind.every((condition) => matchesText(condition, kind)))
  for (const { terms, billed, today } of subscriptions)
    for (const charge of chargesOf(terms, billed, {
      first,
      last,
      today,
      due_from: isFromNow ? Math.min(first, today - 1) : first,
    }))
      if (charge.cents !== 0 && kinds.includes(charge.kind) && (days === undefined || days.has(charge.billed_on))) yield charge
}

function baseOf({ cents, term }: OwnCharge, { session }: RunContext): number | null {
  if (term.currency === session.definitions.base_currency) return cents
  const rate = textCell(term.row, 'rate')
  return rate === null ? null : Number(new Big(cents).times(rate).round(0, Big.roundHalfUp))
}

function addTo(months: Map<string, BillingMonth>, { kind, billed_on, cents, term }: OwnCharge, base: number | null): void {
  const month = `${dayOfNumber(billed_on).slice(0, 7)}-01`
  const { currency } = term
  const key = `${month} ${currency} ${Object.keys(BILLING_KINDS).indexOf(kind)}`
  const sum = months.get(key)
  const added = sum?.amount_base_cents === null || base === null ? null : (sum?.amount_base_cents ?? 0) + base
  months.set(key, {
    month,
    currency,
    kind,
    is_estimate: isEstimate(kind),
    charges: (sum?.charges ?? 0) + 1,
    amount_cents: (sum?.amount_cents ?? 0) + cents,
    amount_base_cents: added,
  })
}

function isEstimate(kind: BillingKind): boolean {
  return ESTIMATED.includes(kind)
}

function inOrder(a: OwnCharge, b: OwnCharge): number {
  const keys = ({ term, kind, from }: OwnCharge) => [keyOf(term.row), Object.keys(BILLING_KINDS).indexOf(kind), from] as const
  const [left, right] = [keys(a), keys(b)]
  const place = left.findIndex((value, index) => value !== right[index])
  return place < 0 ? 0 : (left[place] ?? 0) < (right[place] ?? 0) ? -1 : 1
}

function rowOf(charge: OwnCharge, context: RunContext): Billing {
  const { kind, billed_on, from, to, cents, is_partial, term } = charge
  const { row } = term
  const customer_id = textOf(row, 'customer_id')
  return {
    billed_on: dayOfNumber(billed_on),
    kind,
    is_estimate: isEstimate(kind),
    is_partial,
    customer_id,
    customer_name: textCell(row, 'customer_name'),
    source_id: textOf(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    subscription_id: textOf(row, 'subscription_id'),
    plan_id: textCell(row, 'plan_id'),
    quantity: integerCell(row, 'quantity'),
    currency: term.currency,
    starts_on: dayOfNumber(from),
    ends_on: to === null ? null : dayOfNumber(to),
    amount_cents: cents,
    amount_base_cents: baseOf(charge, context),
    admin_url: context.deps.connector.customerUrl?.(customer_id) ?? null,
  }
}
