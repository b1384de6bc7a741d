import { expect, it } from 'vitest'
import { changeSentences, leadingPlan } from '../../src/metrics/mrr/why-answer.ts'

type Cell = readonly [plan: string | null, amount: number, events: number]

const NOTHING = { new: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0, transfer: 0, fx_effect: 0 }
const NO_RATES = { expansion: 0, contraction: 0 }
const DAYS = { start: '2026-10-01', end: '2026-10-31' }

/** The sentence about one kind of movement whose movements fall on these plans. */
function sentenceOf(...cells: readonly Cell[]): string | undefined {
  const change = cells.reduce((sum, [, amount]) => sum + amount, 0)
  const figures = {
    start_mrr: 0,
    end_mrr: change,
    change,
    by_movement: { ...NOTHING, contraction: change },
    rate_parts: NO_RATES,
    by_plan: [],
    movers: [],
  }
  const share = leadingPlan(cells.map(([plan, amount, events]) => ({ values: [plan], amount, events })))
  return changeSentences(figures, (kind) => (kind === 'contraction' ? share : undefined), DAYS, 'USD')[1]
}

it.each<readonly [string, string, readonly Cell[]]>([
  ['one movement', ', all from pro: 1 movement', [['pro', -100, 1]]],
  ['one plan', ', all from pro: 1,203 movements', [['pro', -100, 1203]]],
  [
    'more than half of the amount, if of few movements',
    ', mostly from pro: 1 of 4 movements',
    [
      ['pro', -51, 1],
      ['lite', -49, 3],
    ],
  ],
  [
    'half of it',
    '',
    [
      ['pro', -50, 1],
      ['lite', -50, 3],
    ],
  ],
  [
    'half of it against two',
    ', the largest part from pro: 2 of 4 movements',
    [
      ['lite', -25, 1],
      ['pro', -50, 2],
      ['team', -25, 1],
    ],
  ],
  [
    'less than half',
    ', the largest part from pro: 4 of 19 movements',
    [
      ['pro', -40, 4],
      ['lite', -30, 10],
      ['team', -30, 5],
    ],
  ],
  [
    'two that lead',
    '',
    [
      ['pro', -40, 4],
      ['lite', -40, 10],
      ['team', -30, 5],
    ],
  ],
  [
    'what has no plan is counted',
    ', mostly from pro: 2 of 5 movements',
    [
      [null, -10, 3],
      ['pro', -40, 2],
    ],
  ],
  [
    'what has no plan leads',
    '',
    [
      [null, -50, 3],
      ['pro', -40, 2],
    ],
  ],
  ['no plan at all', '', [[null, -50, 3]]],
  [
    'the sides of a swap',
    ', mostly from pro: 1 of 2 movements',
    [
      ['pro', -100, 1],
      ['lite', 60, 1],
    ],
  ],
])('a sentence names the plan that its amount came from: %s', (_case, tail, cells) => {
  expect(sentenceOf(...cells)).toMatch(new RegExp(`^Contraction took [\\d.]+ USD${tail}\\.$`))
})

it('an answer without movements names no plan', () => {
  expect(leadingPlan([])).toBeUndefined()
  const figures = {
    start_mrr: 0,
    end_mrr: 100,
    change: 100,
    by_movement: { ...NOTHING, transfer: 100 },
    rate_parts: NO_RATES,
    by_plan: [],
    movers: [],
  }
  expect(changeSentences(figures, () => leadingPlan([]), DAYS, 'USD')).toEqual([
    'MRR rose by 1.00 USD from 2026-10-01 to 2026-10-31, from 0.00 to 1.00 USD.',
    'What entered or left the filters added 1.00 USD.',
  ])
})

it('a sentence says what customers and what exchange rates did', () => {
  const sentences = (expansion: number, rate: number) =>
    changeSentences(
      {
        start_mrr: 3600,
        end_mrr: 3600 + expansion,
        change: expansion,
        by_movement: { ...NOTHING, expansion },
        rate_parts: { expansion: rate, contraction: 0 },
        by_plan: [],
        movers: [],
      },
      () => undefined,
      DAYS,
      'USD',
    ).slice(1)
  expect(sentences(-1100, -2100)).toEqual([
    'Expansion took 11.00 USD (customers added 10.00 USD, exchange rates took 21.00 USD).',
  ])
  // Both cancel out, and both are said.
  expect(sentences(0, -1000)).toEqual(['Expansion added 0.00 USD (customers added 10.00 USD, exchange rates took 10.00 USD).'])
})
