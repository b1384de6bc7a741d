import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeEngine } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import type { Composed } from '../../src/app/service.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'

const PLACES = 2
const QUEUE = 3

describeTargets(
  'while every place for questions to the database is taken and the queue is full',
  (target) => {
    let database: TestDatabase
    let place: StorePlace
    let composed: Composed
    let engine: Engine
    const straight: Promise<unknown>[] = []

    /** Reads of the invoices wait until the lock is given up; nothing else reads them. */
    const lock = () =>
      database.adminQuery(
        target.name === 'postgres' ? 'begin; lock table invoices in access exclusive mode' : 'lock tables invoices write',
      )
    const unlock = () => database.adminQuery(target.name === 'postgres' ? 'rollback' : 'unlock tables')
    const invoices = (offset: number, signal?: AbortSignal) =>
      engine.list('invoices', { offset: String(offset) }, {}, signal === undefined ? {} : { signal })
    const queue = () => engine.statistics().queues.replica

    beforeAll(async () => {
      database = (await fillDatabase(target, generatedHistory(11, 20))).database
      place = await storePlace(target.name)
      const options = {
        'database.url': database.url,
        'store.url': place.url,
        'connector.tenant': 'all',
        'clock.now': '2024-05-20T12:00:00Z',
        'definitions.base_currency': 'USD',
        'definitions.allow_unpriced': 'true',
        'limits.pool_size': String(PLACES),
        'limits.queue_size': String(QUEUE),
        'limits.queue_ms': '60000',
        'cache.mode': 'on',
      }
      composed = composeEngine(loadConfig({ environment: {}, cwd: '/', home: undefined, options }))
      engine = composed.engine
      expect((await composed.cache?.ready())?.status).toBe('ready')
      await importFxRates(RATES_CSV, composed.store, { maxBytes: 1_000_000 })
      await engine.query('mrr')
      await lock()
      for (let offset = 0; offset < PLACES + QUEUE; offset += 1) straight.push(invoices(offset))
      while (queue()?.waiting !== QUEUE) await sleep(10)
    })
    afterAll(async () => {
      await unlock()
      await Promise.allSettled(straight)
      await engine?.close()
      await place?.remove()
    })

    it('refuses one more, says when to ask again, and keeps nobody who goes away', async () => {
      expect(queue()).toEqual({ running: PLACES, waiting: QUEUE, size: PLACES, queue_size: QUEUE })
      await expect(invoices(100)).rejects.toMatchObject({
        code: 'overloaded',
        status: 503,
        context: { retry_after: expect.any(Number) },
      })
    })

    it('the same question takes no further place: it shares the answer of the one that waits', async () => {
      const waiting = straight[PLACES + QUEUE - 1]
      const again = invoices(PLACES + QUEUE - 1)
      const gone = new AbortController()
      const other = invoices(PLACES + QUEUE - 1, gone.signal)
      await sleep(50)
      expect(queue()?.waiting).toBe(QUEUE)
      gone.abort(new Error('gone'))
      await expect(other).rejects.toThrow('gone')
      expect(queue()?.waiting).toBe(QUEUE)
      straight.push(Promise.all([waiting, again]).then(([one, two]) => expect(two).toBe(one)))
    })

    it('cached answers are given', async () => {
      await engine.query('mrr')
      await engine.query('churn', { start: '2024-04-01', end: '2024-04-30' })
      await engine.list('customers')
      await engine.summary()
    })

    it('it is ready, and says what can be asked', async () => {
      expect(await engine.readiness()).toMatchObject({
        status: 'ok',
        checks: { replica: { ok: true }, cache: { status: 'ready' } },
      })
      expect((await engine.fields('mrr')).data.query_types).toContain('current')
    })

    it('segments and attributes can be written and read', async () => {
      const root = { op: 'and', conditions: [{ field: 'attr.size', op: '=', value: 'large' }] }
      await engine.attributes.declare({ key: 'size', type: 'string' })
      const { id } = await engine.segments.create({ name: 'large', definition: { version: 1, root } })
      expect(await engine.segments.get(id)).toMatchObject({ name: 'large', warnings: [] })
      expect((await engine.attributes.list()).map(({ key }) => key)).toContain('size')
    })

    it('every waiting request is answered in the end', async () => {
      await unlock()
      await Promise.all(straight)
      expect(queue()).toMatchObject({ running: 0, waiting: 0 })
    })
  },
  { only: ['postgres', 'mariadb'] },
)
