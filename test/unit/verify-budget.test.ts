import { expect, it } from 'vitest'
import { type Check, type Found, type VerifyContext, withinBudget } from '../../src/verify/check.ts'
import { runVerification } from '../../src/verify/verify.ts'

const HOLDS: Found = { count: 1, faults: [] }
const CONTEXT = { signal: undefined } as Omit<VerifyContext, 'budget_ms'>

/** Runs checks that note their time, in seconds. */
async function budgetsOf(shares: readonly number[], time_limit_s: number): Promise<readonly number[]> {
  const budgets: number[] = []
  const checks = shares.map((share, index): Check => {
    const run = async ({ budget_ms }: VerifyContext) => {
      budgets.push(Math.round(budget_ms / 1_000))
      return HOLDS
    }
    return { name: `check ${index}`, description: '', identities: [], unit: 'things', share, run }
  })
  await runVerification({ checks, start: '2026-01-01', end: '2026-01-31', time_limit_s }, CONTEXT, () => {})
  return budgets
}

it('a check alone has all the time, and time that a check leaves goes to the next ones', async () => {
  expect(await budgetsOf([1], 6_000)).toEqual([6_000])
  expect(await budgetsOf([1, 5], 6_000)).toEqual([1_000, 6_000])
  expect(await budgetsOf([1, 2, 1], 6_000)).toEqual([1_500, 4_000, 6_000])
})

it('without time, the first part alone is checked', async () => {
  const found = await withinBudget([1, 2, 3], { signal: undefined, budget_ms: -1 }, async () => HOLDS)
  expect(found).toMatchObject({
    count: 1,
    parts: { done: 1, all: 3 },
    remark: 'not all was checked: 1 of 3 parts fitted into the time',
  })
})

it('a part that could not be compared is not done', async () => {
  const run = async (part: number): Promise<Found> => (part === 2 ? { ...HOLDS, parts: { done: 0, all: 1 } } : HOLDS)
  expect(await withinBudget([1, 2, 3], { signal: undefined, budget_ms: 1e9 }, run)).toMatchObject({
    parts: { done: 2, all: 3 },
  })
})
