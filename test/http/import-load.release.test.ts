import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { storePlaces } from '../support/databases/store-places.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const RATES = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')
const CUSTOMERS = 20_000
const MEBIBYTE = 2 ** 20

// More customers of the smaller tenant, after the first of its accounts.
const MANY_CUSTOMERS = `
  insert into accounts select filled.*
  from (select * from accounts where external_key = 'beta-acc-0001') as a cross join generate_series(1, ${CUSTOMERS}) as n
  cross join lateral jsonb_populate_record(null::accounts, to_jsonb(a) || jsonb_build_object(
    'record_id', 1000000 + n, 'id', lpad(to_hex(n), 36, '0'), 'external_key', 'many-' || n, 'email', null)) as filled`

describeTargets(
  'an import of several megabytes',
  (target) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await copyOfReal(target)
      await database.adminQuery(MANY_CUSTOMERS)
    })

    it.each(storePlaces(['sqlite', 'postgres']))(
      'into %s stops neither readiness nor metrics nor other requests',
      async (_kind, makePlace) => {
        const place = await makePlace()
        const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
        await importFxRates(RATES, store, { maxBytes: MEBIBYTE })
        const engine = await engineOver(database, { tenant: ['beta'], store, csvBytes: 50 * MEBIBYTE })
        const limits = { body_bytes: MEBIBYTE, csv_bytes: 50 * MEBIBYTE }
        const app = createApp({ engine, version: '0', corsOrigins: [], limits, log: () => {} })

        const text = 'x'.repeat(200)
        const rows = Array.from({ length: CUSTOMERS }, (_, index) => `many-${index + 1},${index},"${text} ${index}",2026-01-01`)
        const form = new FormData()
        form.set('file', new Blob([`external,seats,remark,since\n${rows.join('\n')}\n`]), 'a.csv')

        let isDone = false
        const delay = monitorEventLoopDelay({ resolution: 5 })
        const asked = async (path: string): Promise<number[]> => {
          const statuses: number[] = []
          while (!isDone) {
            statuses.push((await app.request(path)).status)
            // Requests that compute come less often: they need answers meanwhile, but should not delay the import.
            await sleep(path.startsWith('/api') ? 100 : 10)
          }
          return statuses
        }
        const others = Promise.all(
          ['/healthz', '/readyz', '/api/metrics/mrr', '/api/metrics/mrr?filter=attr.seats>5', '/api/attributes'].map(asked),
        )
        delay.enable()
        const start = performance.now()
        const imported = await app.request('/api/attributes/import', { method: 'POST', body: form })
        const took = performance.now() - start
        delay.disable()
        isDone = true
        expect(await imported.json()).toMatchObject({
          rows_read: CUSTOMERS,
          rows_upserted: CUSTOMERS,
          unknown_customers_total: 0,
        })
        const [health = [], ready = [], metric = [], narrowed = [], listed = []] = await others
        for (const statuses of [health, ready, metric, listed]) expect(new Set(statuses)).toEqual(new Set([200]))
        // The attribute is not there before the import is.
        expect(new Set(narrowed.slice(0, -1))).toEqual(new Set([400]))
        expect(health.length).toBeGreaterThan(20)
        expect(Math.min(ready.length, metric.length, listed.length)).toBeGreaterThan(3)
        expect(delay.max / 1e6).toBeLessThan(took / 4)
        await engine.close()
        await place.remove()
      },
    )
  },
  { only: ['postgres'] },
)
