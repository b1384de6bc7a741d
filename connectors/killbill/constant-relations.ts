import type { InlineRelation } from '../../src/connector-kit/connector.ts'

/** Longest service period of a usage item that is split by calendar month (D55); longer than any billing period. */
const MAX_MONTHS = 60

/** Most settlements of one subscription whose usage means are found when its months were not paid in order (D29). */
const MAX_PAYMENTS = 1_000

/** For a period of `month_count` calendar months, one row per month with its offset from the first. */
export const monthSplit: InlineRelation = {
  name: 'month_split',
  columns: [
    { name: 'month_count', type: 'integer' },
    { name: 'month_offset', type: 'integer' },
  ],
  rows: Array.from({ length: MAX_MONTHS }, (_, index) => index + 1).flatMap((count) =>
    Array.from({ length: count }, (_, offset) => [count, offset]),
  ),
}

/** How far a usage charge is carried forward: itself and two payments, or all later ones where months were paid out of order. */
export const paymentStep: InlineRelation = {
  name: 'payment_step',
  columns: [
    { name: 'is_disordered', type: 'integer' },
    { name: 'step', type: 'integer' },
  ],
  rows: [3, MAX_PAYMENTS].flatMap((count, isDisordered) => Array.from({ length: count }, (_, step) => [isDisordered, step])),
}
