import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Engine, RawInput } from '../../src/engine/contract.ts'
import { benchDatabase } from './bench-data.ts'
import type { BenchDatabase } from './bench-database.ts'
import { type BenchStore, createBenchStore, openBenchEngine } from './bench-engine.ts'
import { eachServer, readSizes } from './each-server.ts'
import { timed } from './measure.ts'

const RANGE = { start: '2025-12-01', end: '2026-11-20' }
const MONTH = { start: '2026-10-01', end: '2026-10-31' }

/** The questions of a dashboard: metric, parameters. */
const QUESTIONS: readonly (readonly [title: string, metric: string, params: RawInput, spec?: RawInput])[] = [
  ['MRR now', 'mrr', { query_type: 'current' }],
  ['MRR by plan', 'mrr', { query_type: 'current' }, { dimensions: ['plan_id'] }],
  ['36-month series', 'mrr', { query_type: 'series', start: '2023-12-01', end: '2026-11-20', interval: 'month' }],
  ['one-month breakdown', 'mrr', { query_type: 'breakdown', ...MONTH }],
  ['12-month waterfall', 'mrr', { query_type: 'waterfall', ...RANGE, interval: 'month' }],
  ['logo churn', 'churn', { query_type: 'logo', ...MONTH }],
  ['revenue churn', 'churn', { query_type: 'revenue', ...MONTH }],
  ['NRR', 'retention', { query_type: 'nrr', ...RANGE }],
  ['cohort matrix', 'retention', { query_type: 'cohort_matrix', ...RANGE }],
  ['cohort LTV', 'ltv', { query_type: 'cohort', ...RANGE }],
  ['trials', 'trials', { query_type: 'funnel', ...RANGE }],
  ['usage revenue', 'usage_revenue', { query_type: 'total', ...RANGE }],
]
const TOUCHED = [1, 100, 10_000]

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    targets: { type: 'string', default: 'postgres,mariadb' },
  },
})

const out = (line: string): void => void process.stdout.write(`${line}\n`)
const store = await createBenchStore()
try {
  await eachServer(values.targets, async (server) => {
    for (const size of readSizes(values.size)) {
      const database = await benchDatabase(server, size, {
        fresh: false,
        progress: (text) => void process.stderr.write(`${text}\n`),
      })
      await run(database, store)
      await database.drop()
    }
  })
} finally {
  await store.remove()
}

async function run(database: BenchDatabase, bench: BenchStore): Promise<void> {
  out(`\n${database.target}, load ${loadavg()[0]?.toFixed(1)}`)
  const engine = await openBenchEngine(database.url, bench, 300_000, 'on')
  try {
    const [fill] = await timed(() => engine.query('trials', { query_type: 'series', ...RANGE, interval: 'year' }))
    out(`first fill and answer ${seconds(fill)}, resident ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
    // Asked again, an answer is not computed: only the first time tells.
    for (const [index, [title]] of QUESTIONS.entries()) {
      const [[first], [again]] = [await timed(() => ask(engine, index)), await timed(() => ask(engine, index))]
      out(`${title}: ${seconds(first)}, again ${seconds(again)}`)
    }
    const [dashboard] = await timed(() => Promise.all(QUESTIONS.map((_, index) => ask(engine, index))))
    out(`all twelve again, in parallel: ${seconds(dashboard)}`)
    for (const count of TOUCHED) {
      await touch(database, count)
      const [refresh] = await timed(() => ask(engine, 0))
      out(`MRR now after ${count} touched accounts: ${seconds(refresh)}`)
    }
  } finally {
    await engine.close()
    await database.adminQuery(`delete from bundle_history where created_by = 'bench'`)
  }
}

function ask(engine: Engine, index: number): Promise<unknown> {
  const [, metric = '', params = {}, spec = {}] = QUESTIONS[index] ?? []
  return engine.query(metric, params, spec)
}

/** Rows in a change log about that many accounts; nothing else changes. */
async function touch(database: BenchDatabase, count: number): Promise<void> {
  await database.adminQuery(`insert into bundle_history (record_id, id, target_record_id, external_key, account_id, last_sys_update_date,
    original_created_date, change_type, created_by, created_date, updated_by, updated_date, account_record_id, tenant_record_id)
    select (select coalesce(max(record_id), 0) from bundle_history) + row_number() over (order by account.record_id), account.id,
      account.record_id, 'touched', account.id, account.created_date, account.created_date, 'UPDATE', 'bench', account.created_date,
      'bench', account.created_date, account.record_id, account.tenant_record_id
    from accounts as account order by account.record_id limit ${count}`)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
