import { type Fragment, join, sql, value } from '../../compiler/fragment.ts'
import type { RowsByMeasure } from '../define-query.ts'
import { type CellContext, type Counted, type CountRows, inGroups, SUM } from '../readings/counted.ts'
import { bookPeriods } from './days.ts'
import { type Flows, flowRun } from './entries.ts'
import { hasOtherIncome, optionsOf } from './options.ts'
import { lateRun, levelRun } from './revenue.ts'

/** The end of a period, its beginning, or what is between. */
type Sides = 'opening' | 'closing' | 'between'

const OF_CHARGE = {
  customer_key: sql`fact.customer_key`,
  subscription_id: sql`fact.subscription_id`,
  plan: sql`fact.plan`,
  currency: sql`fact.currency`,
}

/** Charges with what they have recognized, deferred or not billed: a row is a charge. */
export function charges(name: 'at' | 'deferred' | 'unbilled', sides: Sides): CountRows {
  return (cell) => ({
    kind: 'cents',
    parts: [
      {
        run: levelRun(cell, bookPeriods(cell.request.time)),
        fact: { ...OF_CHARGE, document_id: sql`fact.charge_id` },
        measure: { ...amounts(cell, levelOf(name), signOf(sides)), fixed_on: sql`posted_on` },
        where: inGroups(cell),
      },
    ],
    total: SUM,
  })
}

/** Charges of the kinds that are revenue, or of those that are other income. */
export function recognized(of: 'revenue' | 'other_income'): CountRows {
  return (cell) => ofKinds(charges('at', 'between')(cell), cell, of)
}

/** The rows of charges of these kinds alone. */
function ofKinds(counted: Counted, cell: CellContext, of: 'revenue' | 'other_income'): Counted {
  return { ...counted, parts: counted.parts.map((part) => ({ ...part, where: [...part.where, ...kindsOf(cell, of)] })) }
}

/** The conditions of the kinds of charges that are revenue, or of the others. */
export function kindsOf(cell: CellContext, of: 'revenue' | 'other_income'): readonly Fragment[] {
  if (!hasOtherIncome(cell)) return of === 'revenue' ? [] : [sql`1 = 0`]
  const kinds = join(
    optionsOf(cell).revenue_kinds.map((kind) => value(kind, 'text')),
    sql`, `,
  )
  return [of === 'revenue' ? sql`fact_kind in (${kinds})` : sql`not (fact_kind in (${kinds}))`]
}

/** Charges of earlier days that the month before did not know when it was closed (R22). Without a close, both sides are equal. */
function late(cell: CellContext): Counted {
  const counted = recognized('revenue')(cell)
  const run = lateRun(cell, bookPeriods(cell.request.time))
  return { ...counted, parts: counted.parts.map((part) => ({ ...part, run })) }
}

/** Charges that a period recognizes for service days before it. */
function catchUp(cell: CellContext): Counted {
  const counted = recognized('revenue')(cell)
  const [part] = counted.parts
  if (part === undefined) return counted
  // Recognized less the days of the period: before the period as known then, less the same as known at its end.
  const sign = sql`case when day_index = 0 then -1 else 1 end`
  const before = (suffix: Fragment, at: Fragment) => sql`${sign} * case when day_index = 0 then ${at} else ${suffix} end`
  const cents = before(sql`before_cents`, sql`at_cents`)
  const base = before(sql`before_base_cents`, sql`at_base_cents`)
  return {
    ...counted,
    parts: [{ ...part, measure: { ...part.measure, amount_cents: cents, amount: cell.request.unit === 'base' ? base : cents } }],
  }
}

function levelOf(name: 'at' | 'deferred' | 'unbilled'): { readonly cents: Fragment; readonly base: Fragment } {
  if (name === 'at') return { cents: sql`at_cents`, base: sql`at_base_cents` }
  if (name === 'deferred') return { cents: sql`deferred_cents`, base: sql`deferred_base_cents` }
  return { cents: sql`unbilled_cents`, base: sql`unbilled_base_cents` }
}

// The day before the period has the index 0, its last day the index 1.
function signOf(sides: Sides): Fragment {
  if (sides === 'between') return sql`case when day_index = 0 then -1 else 1 end`
  return sides === 'opening' ? sql`case when day_index = 0 then 1 else 0 end` : sql`case when day_index = 0 then 0 else 1 end`
}

function amounts(cell: CellContext, { cents, base }: { readonly cents: Fragment; readonly base: Fragment }, sign: Fragment) {
  const amount_cents = sql`${sign} * ${cents}`
  return { amount_cents, amount: cell.request.unit === 'base' ? sql`${sign} * ${base}` : amount_cents }
}

/** Postings of these terms in a period, or up to it: a row is an item or a payment. */
function postings(terms: readonly (keyof Flows)[], { isNegative = false, isOpening = false, isClosing = false } = {}): CountRows {
  return (cell) => {
    const periods = bookPeriods(cell.request.time)
    const first = periods[0]?.first ?? null
    const sign = isNegative ? sql`-1` : sql`1`
    const named = join(
      terms.map((term) => value(term, 'text')),
      sql`, `,
    )
    const before = sql`bucket < ${value(first, 'date')}`
    const times = isClosing ? [] : [isOpening ? before : sql`not (${before})`]
    return {
      kind: 'cents',
      parts: [
        {
          run: flowRun(cell, periods),
          fact: { ...OF_CHARGE, document_id: sql`fact.document_id` },
          measure: {
            ...amounts(cell, { cents: sql`amount_cents`, base: sql`amount_base_cents` }, sign),
            fixed_on: sql`rated_on`,
          },
          where: [...inGroups(cell), sql`term in (${named})`, ...times],
        },
      ],
      total: SUM,
    }
  }
}

const CREDIT = ['credit_issued', 'credit_applied'] as const

/** The rows behind the roll-forward of deferred revenue. */
export const REVENUE_ROWS: RowsByMeasure = {
  recognized: recognized('revenue'),
  billed: postings(['charge']),
  adjusted: postings(['adjustment']),
  catch_up: catchUp,
  late,
  other_income: recognized('other_income'),
  opening_deferred: charges('deferred', 'opening'),
  closing_deferred: charges('deferred', 'closing'),
  opening_unbilled: charges('unbilled', 'opening'),
  closing_unbilled: charges('unbilled', 'closing'),
}

/** The rows behind payments. */
export const CASH_ROWS: RowsByMeasure = {
  collected: postings(['payment'], { isNegative: true }),
  refunded: postings(['refund'], { isNegative: true }),
  charged_back: postings(['chargeback'], { isNegative: true }),
  net: postings(['payment', 'refund', 'chargeback'], { isNegative: true }),
}

/** The rows behind customer credit. */
export const CREDIT_ROWS: RowsByMeasure = {
  credits_issued: postings(['credit_issued']),
  credits_applied: postings(['credit_applied']),
  opening_credits: postings(CREDIT, { isOpening: true }),
  closing_credits: postings(CREDIT, { isClosing: true }),
  credits_granted: postings(['credit_granted']),
}

/** The rows behind the movements of receivables that are postings. */
export const MOVEMENT_ROWS: RowsByMeasure = {
  billed: postings(['charge']),
  adjusted: postings(['adjustment']),
  tax: postings(['tax']),
  credits_granted: postings(['credit_granted']),
  credits_issued: postings(['credit_issued']),
  credits_applied: postings(['credit_applied']),
  transferred: postings(['transfer']),
  suspense: postings(['suspense']),
  collected: postings(['payment'], { isNegative: true }),
  refunded: postings(['refund'], { isNegative: true }),
  charged_back: postings(['chargeback'], { isNegative: true }),
}
