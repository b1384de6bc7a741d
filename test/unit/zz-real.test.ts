import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { exampleEngine } from '../support/example-engine.ts'
import { sharedReal } from '../support/shared-real.ts'
import { describeTargets } from '../support/targets.ts'
const D = new URL('../../fixtures/killbill/real/expected/', import.meta.url)
const M = (t: string) => JSON.parse(gunzipSync(readFileSync(new URL(`${t}/metrics.json.gz`, D))).toString())
const fx = readFileSync(new URL('fx.csv', D), 'utf8').trim().split('\n').slice(1).map((l) => { const [date, from, to, rate] = l.split(','); return { date, from, to, rate } }) as any[]
describeTargets('real', (target) => {
  for (const tenant of ['alpha', 'beta']) {
    let engine: Engine
    const m = M(tenant)
    beforeAll(async () => {
      const db = await sharedReal(target)
      const connector = createKillbillConnector({ tenant: [tenant], catalog: [] })
      engine = exampleEngine(db.executor(), { connector, clock: fixedClock(new Date('2026-11-21T00:00:00Z')), catalog: loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] }),
        store: { enabled: true, fxRates: { ratesInto: async (to: string) => fx.filter((r) => r.to === to), list: async () => fx, upsert: async () => 0 }, open: async () => {}, ping: async () => {}, version: async () => 0, close: async () => {} } })
    })
    const q = async (p: any, s: any = {}) => { const t = performance.now(); const r = await engine.query('mrr', p, s); console.log(target.name, tenant, JSON.stringify(p), Math.round(performance.now() - t), 'ms'); return r.data as any }
    const strip = (o: any) => Object.fromEntries(Object.entries<any>(o).filter(([, v]) => v !== 0).sort())
    it(`${tenant} by`, async () => {
      for (const [dim, days] of Object.entries<any>(m.mrr_by)) for (const [at, v] of Object.entries<any>(days)) {
        const rows = await q({ at }, { dimensions: [dim] })
        expect([dim, at, Object.fromEntries(rows.map((r: any) => [String(r[dim] ?? 'None'), r.mrr]).sort())]).toEqual([dim, at, strip(v)])
      }
      for (const [dim, ranges] of Object.entries<any>(m.breakdown_by)) for (const [range, v] of Object.entries<any>(ranges)) {
        const [start, end] = range.split('..')
        const rows = await q({ query_type: 'breakdown', start, end }, { dimensions: [dim] })
        const got: any = {}
        for (const r of rows) if (r.movement_type !== 'transfer') ((got[String(r[dim] ?? 'None')] ??= {}) as any)[r.movement_type] = r.amount_base
        const a = Object.fromEntries(Object.entries<any>(got).map(([k, x]) => [k, strip(x)]).filter(([, x]) => Object.keys(x as any).length > 0))
        const b = Object.fromEntries(Object.entries<any>(v).map(([k, x]) => [k, strip(x)]).filter(([, x]) => Object.keys(x as any).length > 0))
        expect([dim, range, a]).toEqual([dim, range, b])
      }
    })
    it(`${tenant} keys`, () => { console.log(Object.keys(m)) })
  }
})
