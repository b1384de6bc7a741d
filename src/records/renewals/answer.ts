import * as z from 'zod'
import { InternalError } from '../../core/errors.ts'
import { dayOf, dayOfNumber, dayStart, nextPeriod, periodStart } from '../../core/periods.ts'
import type { Question } from '../../execution/pipeline.ts'
import type { RunContext } from '../../execution/run.ts'
import { integerCell, integerOrNull, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { forecastWarning } from '../../query/request.ts'
import { keyOf } from '../billings/terms.ts'
import { pageByDay } from '../pages-by-day.ts'
import { type PageAhead, questionAhead } from '../question-ahead.ts'
import { refuseBandGaps } from '../subscription-conditions.ts'
import { asDeclared, warnOfMissingRates } from '../written-rows.ts'
import { renewalDays } from './days.ts'
import { readStretches, readTerms, type Terms } from './read.ts'
import { RENEWAL_INPUTS, type RenewalRequest, withDays } from './request.ts'
import { RENEWAL_MONTH, RENEWAL_ROW, type Renewal, type RenewalMonth, SHORT_PERIODS } from './rows.ts'

/** Relations without which renewals cannot be listed. */
export const RENEWAL_READS: readonly string[] = ['subscription', 'subscription_span', 'customer', 'plan']

const FOUND = z.object({ months: z.array(RENEWAL_MONTH), rows: z.array(RENEWAL_ROW) })

/**
 * Subscriptions whose billed period or fixed term ends on days to come, by month. Days are local days of the customers (D82). Without the terms of
 * `billing_term`, only the next end of each billed period is known.
 */
export function renewalsQuestion(
  params: Raw,
  spec: Raw,
  sets: readonly string[],
  hasTerms: boolean,
): Question<RenewalRequest, PageAhead<Renewal, RenewalMonth>> {
  const inputs = { ...RENEWAL_INPUTS, sets }
  return questionAhead(params, spec, {
    name: 'renewals',
    inputs,
    row: RENEWAL_ROW,
    month: RENEWAL_MONTH,
    plan: (now, names) => withDays(parseData(params, spec, inputs, now, names), now),
    async run(request, context) {
      for (const warning of [...request.warnings, forecastWarning(context.session.now)]) context.warn(warning)
      await refuseBandGaps(request.ofSubscription, context)
      const stretches = await readStretches(request, context)
      warnOfUndated(stretches, context)
      const terms = hasTerms ? await readTerms(request, context) : new Map()
      const { months, ...found } = pageOf(stretches, terms, request)
      warnOfMissingRates(found.unrated, context)
      const rows = found.items.map((item) => renewalOf(item, context))
      const { limit, offset } = request
      return { total: found.total, limit, offset, ...asDeclared(FOUND, { months, rows }, 'an answer about renewals') }
    },
  })
}

/** Most subscriptions that a warning names. */
const NAMED = 10

/** Nobody knows when a subscription renews that the engine has not billed up to some day. */
function warnOfUndated(stretches: readonly Row[], { warn }: RunContext): void {
  const undated = stretches.filter((row) => row['ends'] === 'period' && integerOrNull(row, 'charged_number') === null)
  const ids = [...new Set(undated.map((row) => textOf(row, 'subscription_id')))]
  if (ids.length === 0) return
  const named = ids.length > NAMED ? `${ids.slice(0, NAMED).join(', ')} and ${ids.length - NAMED} more` : ids.join(', ')
  const message = `The billing engine does not state up to which day these active subscriptions are billed, so nobody knows when their periods end: ${named}.`
  warn({ code: 'partial', message, count: ids.length })
}

/** A day on which a subscription renews, as a number of days since 1970-01-01, and the stretch that it lies in. */
interface Renewing {
  readonly day: number
  readonly row: Row
}

function pageOf(stretches: readonly Row[], terms: Terms, request: RenewalRequest) {
  const months = new Map(monthsFrom(request).map((month) => [month.month, month]))
  const unrated = new Set<string | null>()
  const seen = ({ day, row }: Renewing) => {
    const base = integerOrNull(row, 'mrr_base_cents')
    if (base === null && integerOrNull(row, 'mrr_cents') !== null) unrated.add(textCell(row, 'currency'))
    const month = `${dayOfNumber(day).slice(0, 7)}-01`
    const sums = months.get(month)
    if (sums === undefined) throw new InternalError(`a renewal of ${month} is outside the range`)
    months.set(month, withRenewal(sums, termOf(row), base))
  }
  const order = { dayOf: ({ day }: Renewing) => day, inOrder, seen }
  const page = pageByDay((days) => renewalsOf(stretches, terms, days), order, request)
  return { ...page, months: [...months.values()], unrated }
}

function* renewalsOf(stretches: readonly Row[], terms: Terms, days?: ReadonlySet<number>): Generator<Renewing, void> {
  for (const row of stretches) for (const day of daysOf(row, terms)) if (days === undefined || days.has(day)) yield { day, row }
}

/** The days on which a stretch renews. If both terms end on one day, it is the fixed one. */
function* daysOf(row: Row, terms: Terms): Generator<number, void> {
  const fixed = integerOrNull(row, 'fixed_number')
  const charged = integerOrNull(row, 'charged_number')
  if (row['ends'] === 'fixed_term') {
    if (fixed !== null) yield fixed
    return
  }
  if (charged === null) return
  const [from, to] = [integerCell(row, 'first_number'), integerCell(row, 'end_number')]
  for (const day of renewalDays(charged, terms.get(keyOf(row)) ?? [])) {
    if (day >= to) return
    if (day >= from && day !== fixed) yield day
  }
}

function inOrder(a: Renewing, b: Renewing): number {
  const [left, right] = [textOf(a.row, 'subscription_id'), textOf(b.row, 'subscription_id')]
  if (left === right) return 0
  return left < right ? -1 : 1
}

function renewalOf({ day, row }: Renewing, { deps }: RunContext): Renewal {
  const customer_id = textOf(row, 'customer_id')
  return {
    renews_on: dayOfNumber(day),
    ends: textOf(row, 'ends') as Renewal['ends'],
    term: termOf(row),
    customer_id,
    customer_name: textCell(row, 'customer_name'),
    source_id: textOf(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    subscription_id: textOf(row, 'subscription_id'),
    plan_id: textCell(row, 'plan_id'),
    billing_period: textCell(row, 'billing_period'),
    quantity: integerCell(row, 'quantity'),
    currency: textCell(row, 'currency'),
    mrr_cents: integerOrNull(row, 'mrr_cents'),
    mrr_base_cents: integerOrNull(row, 'mrr_base_cents'),
    admin_url: deps.connector.customerUrl?.(customer_id) ?? null,
  }
}

function termOf(row: Row): Renewal['term'] {
  const isMonthly = SHORT_PERIODS.includes(textCell(row, 'billing_period')?.toLowerCase() ?? '')
  return textOf(row, 'ends') === 'period' && isMonthly ? 'monthly' : 'contract'
}

/** The months of the range, without renewals. */
function monthsFrom({ start, end }: RenewalRequest): readonly RenewalMonth[] {
  const months: RenewalMonth[] = []
  for (let month = periodStart(dayStart(start), 'month'); dayOf(month) <= end; month = nextPeriod(month, 'month'))
    months.push({ month: dayOf(month), renewals: 0, mrr_base_cents: 0, contracts: 0, contract_mrr_base_cents: 0 })
  return months
}

function withRenewal(month: RenewalMonth, term: Renewal['term'], base: number | null): RenewalMonth {
  const plus = (cents: number | null) => (cents === null || base === null ? null : cents + base)
  const added = { ...month, renewals: month.renewals + 1, mrr_base_cents: plus(month.mrr_base_cents) }
  if (term === 'monthly') return added
  return { ...added, contracts: month.contracts + 1, contract_mrr_base_cents: plus(month.contract_mrr_base_cents) }
}
