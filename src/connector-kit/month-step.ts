import type { InlineRelation } from '../compiler/inline.ts'

/** Spans that have steps of their own: longer than any billing period in months. */
const MAX_SPAN = 60

/** Steps of the span 0, which stands for every longer one: that many times the longest span is more months than the calendar has. */
const MAX_STEPS = 2_000

/**
 * Steps 0 … span - 1 for each span, joined by equality: the months of a usage item's service period, those of a long one in
 * stretches of the longest span (D55), and the payments into whose mean a usage charge is carried forward (D29).
 */
export const monthStep: InlineRelation = {
  name: 'month_step',
  columns: [
    { name: 'span', type: 'integer' },
    { name: 'step', type: 'integer' },
  ],
  rows: [
    ...Array.from({ length: MAX_SPAN }, (_, index) => index + 1).flatMap((span) => stepsOf(span, span)),
    ...stepsOf(0, MAX_STEPS),
  ],
}

function stepsOf(span: number, count: number): number[][] {
  return Array.from({ length: count }, (_, step) => [span, step])
}
