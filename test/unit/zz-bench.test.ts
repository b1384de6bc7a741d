import { join } from 'node:path'
import { beforeAll, it } from 'vitest'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { exampleEngine } from '../support/example-engine.ts'
import { exampleConnector, SPANS } from '../support/worked-example.ts'
import { describeTargets } from '../support/targets.ts'
import { mrrSpan } from '../../src/relations/mrr-span.ts'
const N = 100_000
describeTargets('bench', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const db = await target.createDatabase()
    const pg = target.name === 'postgres'
    const T: any = pg ? { text: 'varchar(64)', integer: 'bigint', timestamp: 'timestamp', boolean: 'boolean', date: 'date' } : { text: 'varchar(64) character set utf8mb3 collate utf8mb3_bin', integer: 'bigint', timestamp: 'datetime', boolean: 'tinyint(1)', date: 'date' }
    await db.adminQuery(`create table bench_span (${mrrSpan.columns.map((c) => `${c.name} ${T[c.type]}`).join(', ')})`)
    await db.adminQuery(`create table bench_customer (customer_key ${T.integer} primary key, source_id ${T.text}, customer_id ${T.text}, customer_name ${T.text}, external_key ${T.text}, email ${T.text}, currency ${T.text}, customer_country ${T.text}, created_at ${T.timestamp}, collection_method ${T.text}, company_name ${T.text}, city ${T.text}, state ${T.text}, postal_code ${T.text}, locale ${T.text}, time_zone ${T.text})`)
    await db.adminQuery(`create table bench_subscription (subscription_id varchar(64) ${pg ? '' : 'character set utf8mb3 collate utf8mb3_bin'} primary key, customer_key ${T.integer}, bundle_id ${T.text}, bundle_external_key ${T.text}, bundle_line ${T.text}, external_key ${T.text}, category ${T.text}, created_at ${T.timestamp}, cancel_requested_at ${T.timestamp}, cancel_at ${T.timestamp})`)
    const q = (v: any) => v === null ? 'null' : typeof v === 'string' ? `'${v}'` : String(v)
    const ins = async (t: string, rows: any[][]) => { for (let i = 0; i < rows.length; i += 2000) await db.adminQuery(`insert into ${t} values ${rows.slice(i, i + 2000).map((r) => `(${r.map(q).join(',')})`).join(',')}`) }
    const spans: any[][] = [], subs: any[][] = [], custs: any[][] = []
    const day = (n: number) => new Date(Date.UTC(2022, 0, 1) + n * 86400000).toISOString().slice(0, 10)
    for (let i = 0; i < N; i++) {
      const c = Math.floor(i / 2)
      if (i % 2 === 0) custs.push([c, 'T', `customer-${c}-aaaa-bbbb-cccc-dddddddd`, `n${c}`, `k${c}`, null, 'USD', ['DE', 'US', 'FR', null][c % 4], `${day(i % 900)} 10:00:00`, 'automatic', null, null, null, null, null, null])
      const sid = `subscription-${i}-aaaa-bbbb-cccc`
      subs.push([sid, c, `bundle-${i}`, `b${i}`, `b${i}`, `s${i}`, 'BASE', '2022-01-01 00:00:00', null, null])
      let d = (i * 7) % 1000
      for (let k = 0; k < 4; k++) {
        const to = k === 3 ? (i % 3 ? null : d + 60) : d + 40 + (i % 50)
        const mrr = 1000 + ((i * 13 + k * 777) % 9000)
        const row: any = { customer_key: c, subscription_id: sid, valid_from: `${day(d)} 12:00:00`, valid_to: to === null ? null : `${day(to)} 12:00:00`, status: 'active', plan: 'pro', plan_key: 1 + ((i + k) % 7), phase_name: 'pro-evergreen', price_list: 'DEFAULT', quantity: 1, currency: 'USD', subscription_mrr_cents: mrr, usage_mrr_cents: 0, mrr_cents: mrr, subscription_mrr_base_cents: mrr, usage_mrr_base_cents: 0, mrr_base_cents: mrr, is_trial: false, is_live: true, is_paused: false, is_unpriced: false, start_reason: k ? 'plan' : 'start', end_reason: k === 3 && to !== null ? 'cancel' : null, subscription_fixed_on: day(d), usage_fixed_on: null }
        spans.push(mrrSpan.columns.map((x) => row[x.name] ?? null)); d = to ?? 0
      }
    }
    await ins('bench_span', spans); await ins('bench_customer', custs); await ins('bench_subscription', subs)
    await db.adminQuery(pg ? 'analyze' : 'analyze table bench_span, bench_customer, bench_subscription')
    const base = exampleConnector()
    const connector = { ...base, open: async (s: any, r: any) => { const x = await base.open(s, r); return { ...x, inline: new Map([['plan', x.inline.get('plan')!]]), currencies: ['USD'] } } }
    engine = exampleEngine(db.executor({ statementTimeoutMs: 120000 }), { connector, catalog: loadCatalog({ sql: join(packageRoot(), 'sql'), relations: ['/tmp/bench/rel'] }) })
  })
  it('time', async () => {
    const R = { start: '2022-06-01', end: '2025-05-31' }
    for (const d of [undefined, 'customer_country', 'plan_id', 'customer_id', 'cohort_month', 'tenure_months', 'bundle_id', 'mrr_band'])
      for (const p of [{ at: '2024-07-01' }, R, { ...R, query_type: 'breakdown' }, { ...R, query_type: 'waterfall' }] as any[]) {
        if (p.query_type === 'breakdown' && /band/.test(d ?? '')) continue
        const t = performance.now(); let a: any; try { a = await engine.query('mrr', p, d ? { dimensions: [d] } : {}) } catch (e: any) { a = { data: e.message } } const ms = Math.round(performance.now() - t)
        console.log(target.name, p.query_type ?? (p.at ? 'point' : 'series'), d, ms, 'ms', Array.isArray(a.data) ? a.data.length : a.data)
      }
  }, 900_000)
}, { only: ['postgres', 'mariadb'] })
