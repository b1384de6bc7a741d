import { afterEach, expect, it } from 'vitest'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { AppError } from '../../src/core/errors.ts'
import { type SmallBilling, type SmallCache, smallCache } from '../support/product/small-cache.ts'

const PATIENCE = { waitMs: 60_000, silenceMs: 60_000, retryMs: 60_000, idleMs: 60_000, sweepMs: 300_000 }
const definitions = definitionsSchema.parse({ base_currency: 'USD' })

let cache: SmallCache
afterEach(() => cache.close())

/** The instant up to which answers stay the same. */
const markEnd = async (now: Date): Promise<string | null> => {
  const read = await cache.read(
    () => ({ now, definitions }),
    async ({ mark }) => mark.to,
  )
  if (read === null) throw new Error('the cache does not answer')
  return read.value
}

it('a refresh that fails after its first 2,000 customers forgets no instant of their rows', async () => {
  const billing: SmallBilling = {
    version: 1,
    now: new Date('2024-05-20T12:00:00Z'),
    accounts: 2_001,
    created_at: '2024-01-01 00:00:00',
    changes_at: '2024-05-20 13:00:00',
  }
  let fault: 'none' | 'armed' | 'due' = 'none'
  cache = await smallCache({
    billing,
    patience: PATIENCE,
    async point(place) {
      if (fault === 'armed' && place === 'write.transaction') fault = 'due'
      if (fault !== 'due' || place !== 'replica.query') return
      fault = 'none'
      throw new AppError('connector_unavailable', 'The connection was lost.')
    },
  })
  await cache.ready()
  expect(await markEnd(billing.now)).toBeNull()

  // All customers are due. The rows of the first ones now have an instant that is still to come.
  billing.now = new Date('2024-05-20T14:00:00Z')
  billing.created_at = '2024-05-20 15:00:00'
  fault = 'armed'
  await expect(markEnd(billing.now)).rejects.toThrow('the cache does not answer')
  expect(cache.failures.map(String)).toEqual(['AppError: The connection was lost.'])

  // The last one has none.
  billing.created_at = '2024-05-20 13:00:00'
  expect(await markEnd(billing.now)).toBe('2024-05-20 15:00:00')
  expect(cache.state().status).toBe('ready')
})
