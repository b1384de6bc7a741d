import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { mixedLoad } from '../support/product/mixed-load.ts'
import { questionsTo } from '../support/product/mixed-requests.ts'
import { type ServiceProcess, serveReady } from '../support/product/product-process.ts'
import { END_OF_RECORDING } from '../support/product/recorded-engine.ts'
import { importRates } from '../support/product/recorded-service.ts'

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
