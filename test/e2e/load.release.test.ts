import { afterAll, beforeAll, expect, it } from 'vitest'
import { mixedLoad } from '../support/mixed-load.ts'
import { questionsTo } from '../support/mixed-questions.ts'
import { type ServiceProcess, serveReady } from '../support/product-process.ts'
import { END_OF_RECORDING } from '../support/real-engine.ts'
import { importRates } from '../support/real-service.ts'
import { sharedReal } from '../support/shared-real.ts'
import { type StorePlace, storePlace } from '../support/store-places.ts'
import { describeTargets } from '../support/targets.ts'

/** Requests in all, several of each client. */
const AMOUNTS = { few: 192, many: 400 }

describeTargets(
  'a service under load',
  (target) => {
    let place: StorePlace
    let service: ServiceProcess
    let questions: readonly string[]

    beforeAll(async () => {
      const database = await sharedReal(target)
      place = await storePlace(target.name)
      await importRates(place)
      service = await serveReady({
        PLUMBLINE_DATABASE_URL: database.url,
        PLUMBLINE_CONNECTOR_TENANT: 'alpha',
        PLUMBLINE_STORE_URL: place.url,
        PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
        PLUMBLINE_NOW: END_OF_RECORDING.toISOString(),
        PLUMBLINE_CACHE_MODE: 'on',
        // Only the number of those who wait decides, however slow the machine is.
        PLUMBLINE_LIMITS_QUEUE_MS: '600000',
        PLUMBLINE_LIMITS_QUEUE_SIZE: '100',
      })
      questions = await questionsTo(service.url)
    })
    afterAll(async () => {
      await service?.stop()
      await place?.remove()
    })

    it('answers 32 clients at a time, every one of them', async () => {
      const { statuses, readyz } = await mixedLoad(service.url, questions, { connections: 32, amount: AMOUNTS.few })
      expect(statuses).toEqual({ 200: AMOUNTS.few })
      expect(Object.keys(readyz)).toEqual(['200'])
    })

    it('refuses some of 200 at most, telling them when to come again, and stays ready', async () => {
      const { statuses, unannounced, readyz } = await mixedLoad(service.url, questions, {
        connections: 200,
        amount: AMOUNTS.many,
      })
      const { 200: answered = 0, 503: refused = 0, ...others } = statuses
      expect(others).toEqual({})
      expect(answered + refused).toBe(AMOUNTS.many)
      expect(answered).toBeGreaterThan(0)
      expect(unannounced).toBe(0)
      expect(Object.keys(readyz)).toEqual(['200'])
    })
  },
  { only: ['postgres'] },
)
