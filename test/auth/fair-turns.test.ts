import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'

let service: GuardedService
beforeAll(async () => {
  service = await openGuardedService()
})
afterAll(() => service.close())

const BRIDGES = 40

it('the many bridges of one key do not keep another key waiting', async () => {
  const [busy, quiet] = [await service.makeKey(['read:aggregate']), await service.makeKey(['read:aggregate'])]
  const ask = async (path: string, { secret }: { readonly secret: string }) => {
    const response = await service.app.request(path, { headers: { authorization: `Bearer ${secret}` } })
    await response.text()
    return response
  }
  let answered = 0
  const bridges = Array.from({ length: BRIDGES }, async (_, index) => {
    const day = new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10)
    const response = await ask(`/api/metrics/mrr/bridge?from=default&to=killbill-analytics&at=${day}`, busy)
    answered += 1
    // The answer to a request that the queue does not take in time says when to ask again.
    if (response.status !== 200)
      expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([503, expect.any(Number)])
    return response.status
  })
  const before: number[] = []
  for (let day = 1; day <= 5; day += 1) {
    const { status } = await ask(`/api/metrics/mrr?at=2026-09-0${day}`, quiet)
    expect(status).toBe(200)
    before.push(answered)
  }
  // Each answer comes in its turn, and does not wait for the queue of the busy key.
  expect(before[0]).toBeLessThan(BRIDGES / 2)
  expect(before.at(-1)).toBeLessThan(BRIDGES)
  const statuses = await Promise.all(bridges)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
})
