import { expect, it } from 'vitest'
import { tried } from '../../src/cache/lake/tries.ts'
import { AppError } from '../../src/core/errors.ts'

const LOST = new AppError('connector_unavailable', 'a worker is lost')
const NEVER = new AbortController().signal

/** Makes a table with these failures of its statements and drops, in turn, and tells what was done. */
async function triedWith(failures: readonly (Error | undefined)[], signal = NEVER) {
  const done: string[] = []
  const left = [...failures]
  const act = (name: string) => async () => {
    done.push(name)
    const failure = left.shift()
    if (failure !== undefined) throw failure
  }
  const again = { drop: act('drop'), onRetry: () => done.push('retry'), pauseMs: 1 }
  const error: unknown = await tried(act('make'), again, signal).catch((reason: unknown) => reason)
  return { done: done.join(' '), error }
}

it.each([
  ['once if nothing fails', [], 'make', undefined],
  ['again after a lost server, from nothing', [LOST], 'make retry drop make', undefined],
  ['again if it cannot be dropped', [LOST, LOST], 'make retry drop retry drop make', undefined],
  [
    'four times at most',
    [LOST, undefined, LOST, undefined, LOST, undefined, LOST],
    'make retry drop make retry drop make retry drop make',
    LOST,
  ],
] as const)('a table is made %s', async (_, failures, done, error) => {
  expect(await triedWith(failures)).toEqual({ done, error })
})

it.each([new AppError('result_too_large', 'too large'), new TypeError('a fault')])('%s ends it', async (error) => {
  expect(await triedWith([error])).toEqual({ done: 'make', error })
})

it('nothing is made again for a caller who has left', async () => {
  const { done, error } = await triedWith([LOST], AbortSignal.abort())
  expect([done, error]).toEqual(['make retry', expect.objectContaining({ name: 'AbortError' })])
})
