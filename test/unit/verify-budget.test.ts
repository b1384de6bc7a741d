import { expect, it } from 'vitest'
import type { Ask, Check, Found, VerifyContext } from '../../src/trust/verify/check.ts'
import { checkOf, inSnapshots, withinBudget } from '../../src/trust/verify/parts.ts'
import { runVerification } from '../../src/trust/verify/verify.ts'

const HOLDS: Found = { count: 1, faults: [] }
const NEVER = new AbortController().signal
const CONTEXT = { signal: NEVER } as Omit<VerifyContext, 'budget_ms' | 'onPart'>
const UNHEARD = { signal: NEVER, onPart: () => {} }

const checkNamed = (name: string, run: Check['run'], share = 1): Check => {
  return { name, description: '', identities: [], unit: 'things', share, run }
}
const DAYS = { start: '2026-01-01', end: '2026-01-31' }

/** Runs checks that note their time, in seconds. */
async function budgetsOf(shares: readonly number[], time_limit_s: number): Promise<readonly number[]> {
  const budgets: number[] = []
  const checks = shares.map((share, index): Check => {
    const run = async ({ budget_ms }: VerifyContext) => {
      budgets.push(Math.round(budget_ms / 1_000))
      return HOLDS
    }
    return checkNamed(`check ${index}`, run, share)
  })
  await runVerification({ ...DAYS, checks, time_limit_s }, CONTEXT, NEVER, () => {})
  return budgets
}

it('a check alone has all the time, and time that a check leaves goes to the next ones', async () => {
  expect(await budgetsOf([1], 6_000)).toEqual([6_000])
  expect(await budgetsOf([1, 5], 6_000)).toEqual([1_000, 6_000])
  expect(await budgetsOf([1, 2, 1], 6_000)).toEqual([1_500, 4_000, 6_000])
})

it('without time, the first part alone is checked', async () => {
  const found = await withinBudget([1, 2, 3], { ...UNHEARD, budget_ms: -1 }, async () => HOLDS)
  expect(found).toMatchObject({
    count: 1,
    parts: { done: 1, all: 3 },
    remark: 'not all was checked: 1 of 3 parts fitted into the time',
  })
})

it('a part that could not be compared is not done', async () => {
  const run = async (part: number): Promise<Found> => (part === 2 ? { ...HOLDS, parts: { done: 0, all: 1 } } : HOLDS)
  expect(await withinBudget([1, 2, 3], { ...UNHEARD, budget_ms: 1e9 }, run)).toMatchObject({
    parts: { done: 2, all: 3 },
  })
})

const HELD = { name: 'held.x' }
const DIRECT = { name: 'direct.x' }
const isDirect = (name: string) => name.startsWith('direct.')

/** Parts in snapshots: where each was asked, in order, and the outcome after each. */
async function snapshotsOf(parts: readonly (typeof HELD | typeof DIRECT)[], budget_ms: number) {
  const asked: string[] = []
  const heard: Found[] = []
  const context = {
    ...UNHEARD,
    budget_ms,
    isDirect,
    onPart: (soFar: Found) => heard.push(soFar),
    inSnapshot: <T>(work: (ask: Ask) => Promise<T>, source?: 'replica') => {
      asked.push(`opens ${source ?? 'any'}`)
      return work({} as Ask)
    },
  }
  const found = await inSnapshots(parts, context, () => async (part) => {
    asked.push(part === DIRECT ? 'direct' : 'held')
    return HOLDS
  })
  return { asked, heard, found }
}

it('queries that only the billing database answers have a snapshot of it, after the others', async () => {
  const { asked, heard, found } = await snapshotsOf([DIRECT, HELD, DIRECT, HELD], 1e9)
  expect(asked).toEqual(['opens any', 'held', 'held', 'opens replica', 'direct', 'direct'])
  expect(found).toEqual({ count: 4, faults: [], parts: { done: 4, all: 4 } })
  expect(heard.map(({ count, parts }) => [count, parts])).toEqual([1, 2, 3, 4].map((done) => [done, { done, all: 4 }]))
  expect(heard[3]).toEqual(found)
  expect((await snapshotsOf([HELD], 1e9)).asked).toEqual(['opens any', 'held'])
  expect((await snapshotsOf([DIRECT], 1e9)).asked).toEqual(['opens replica', 'direct'])
  expect((await snapshotsOf([], 1e9)).found).toEqual({ count: 0, faults: [], parts: { done: 0, all: 0 } })
})

it.each([
  [['held.x'], 'any'],
  [['held.x', 'direct.x'], 'replica'],
  [['direct.x'], 'replica'],
  [['directly.x'], 'any'],
  [[], 'any'],
])('an identity of %j has one snapshot, of %s', async (queries, wanted) => {
  const opened: string[] = []
  const context = {
    ...UNHEARD,
    range: DAYS,
    budget_ms: 1e9,
    isDirect,
    dimensionsOf: () => ['plan_id'],
    inSnapshot: <T>(work: (ask: Ask) => Promise<T>, source?: 'replica') => {
      opened.push(source ?? 'any')
      return work({} as Ask)
    },
  } as unknown as VerifyContext
  const about = { name: 'it', description: '', identities: [], unit: 'things' }
  const found = await checkOf({ ...about, queries, isGrouped: true, holds: async () => HOLDS }).run(context)
  expect(opened).toEqual([wanted])
  expect(found).toMatchObject({ count: 2, parts: { done: 2, all: 2 } })
})

it('without time, the first part of each snapshot alone is checked, which one sentence says', async () => {
  const { asked, found } = await snapshotsOf([DIRECT, HELD, DIRECT, HELD], -1)
  expect(asked).toEqual(['opens any', 'held', 'opens replica', 'direct'])
  expect(found).toMatchObject({
    count: 2,
    parts: { done: 2, all: 4 },
    remark: 'not all was checked: 2 of 4 parts fitted into the time',
  })
})

it('the end of the time cuts a part that runs, keeps the parts before it and begins no other check', async () => {
  const limit = new AbortController()
  const never = new Promise<Found>(() => {})
  const parts = [HOLDS, HOLDS, never, HOLDS]
  const checks = [
    checkNamed('cut', (context) =>
      withinBudget(parts, context, async (part) => {
        if (part === never) limit.abort(new Error('the time is over'))
        return part
      }),
    ),
    checkNamed('late', () => Promise.reject(new Error('a check began after the end'))),
  ]
  const request = { ...DAYS, checks, time_limit_s: 1 }
  const {
    ok,
    is_complete,
    checks: results,
  } = await runVerification(request, { ...CONTEXT, signal: limit.signal }, limit.signal, () => {})
  expect([ok, is_complete]).toEqual([true, false])
  expect(results).toMatchObject([
    {
      ok: true,
      is_complete: false,
      count: 2,
      parts: 4,
      parts_done: 2,
      message: '2 things (not all was checked: 2 of 4 parts fitted into the time)',
    },
    { ok: null, is_complete: false, count: 0, parts: 1, parts_done: 0, message: 'not checked: the time was over' },
  ])
})

it('a caller who leaves ends the verification, which is an error', async () => {
  const caller = new AbortController()
  const checks = [
    checkNamed('left', () => {
      caller.abort(new Error('left'))
      return new Promise<Found>(() => {})
    }),
  ]
  const request = { ...DAYS, checks, time_limit_s: 1 }
  const running = runVerification(request, { ...CONTEXT, signal: caller.signal }, NEVER, () => {})
  await expect(running).rejects.toThrow('left')
})
