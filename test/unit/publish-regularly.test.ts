import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Lake } from '../../src/app/compose-lake.ts'
import { publishRegularly } from '../../src/app/publish-regularly.ts'
import { AppError } from '../../src/core/errors.ts'

const HOUR_MS = 3_600_000
type Published = Awaited<ReturnType<Lake['publish']>>

/** Runs a service for a moment on a clock that moves half an hour with each look. */
async function runFor(
  looks: number,
  publish: (signal: AbortSignal) => Promise<Published>,
  options: { readonly first?: Date; readonly everyMs?: number } = {},
) {
  let at = new Date('2026-01-01T00:00:00Z')
  let newest = options.first
  let [looked, published] = [0, 0]
  const failures: unknown[] = []
  let stopped: Promise<void> | undefined
  const running = publishRegularly(
    {
      async newestAt() {
        looked += 1
        at = new Date(at.getTime() + HOUR_MS / 2)
        if (looked === looks) stopped ??= sleep(1).then(() => running.stop())
        return newest
      },
      async publish(_onProgress, signal) {
        published += 1
        const made = await publish(signal)
        if (!('faults' in made)) newest = at
        return made
      },
    },
    {
      everyMs: options.everyMs ?? HOUR_MS,
      lookMs: 1,
      now: () => at,
      onProgress: () => {},
      onFailure: (error) => failures.push(error),
    },
  )
  while (stopped === undefined && failures.length === 0) await sleep(1)
  await running.stop()
  return { looked, published, failures }
}

const MADE = {} as Exclude<Published, { readonly faults: unknown }>

it('publishes at once without a publication, and then once it is old enough', async () => {
  const { looked, published } = await runFor(9, async () => MADE)
  expect([looked, published]).toEqual([9, 5])
})

it('leaves a publication alone that is young enough', async () => {
  const { published } = await runFor(2, async () => MADE, { first: new Date('2026-01-01T00:15:00Z') })
  expect(published).toBe(0)
})

it('a service that publishes already is no failure', async () => {
  const { published, failures } = await runFor(3, () => Promise.reject(new AppError('conflict', 'another writer')))
  expect([published, failures]).toEqual([3, []])
})

it.each([
  ['a failure', () => Promise.reject(new AppError('connector_unavailable', 'away')), 'away'],
  ['a publication that is not right', async () => ({ faults: ['rows are lost'] }), 'rows are lost'],
])('%s is told, and the next try comes after the whole time', async (_name, publish, message) => {
  const { published, failures } = await runFor(100, publish)
  expect([published, failures]).toEqual([1, [expect.objectContaining({ message: expect.stringContaining(message) })]])
})

it('a publication at work ends with its service, and tells nobody', async () => {
  const failures: unknown[] = []
  let began: () => void = () => {}
  const atWork = new Promise<void>((resolve) => {
    began = resolve
  })
  const running = publishRegularly(
    {
      newestAt: async () => undefined,
      publish: (_onProgress, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          began()
        }),
    },
    { everyMs: HOUR_MS, lookMs: 1, now: () => new Date(), onProgress: () => {}, onFailure: (error) => failures.push(error) },
  )
  await atWork
  await running.stop()
  expect(failures).toEqual([])
})

it('a service that ends at once publishes nothing', async () => {
  let published = 0
  const publish = async () => {
    published += 1
    return MADE
  }
  const options = { everyMs: HOUR_MS, lookMs: 1, now: () => new Date(), onProgress: () => {}, onFailure: () => {} }
  await publishRegularly({ newestAt: async () => undefined, publish }, options).stop()
  expect(published).toBe(0)
})
