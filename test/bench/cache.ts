import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Engine, RawInput } from '../../src/engine/contract.ts'
import { benchDatabase } from './bench-data.ts'
import type { BenchDatabase } from './bench-database.ts'
import { type BenchStore, createBenchStore, openBenchEngine } from './bench-engine.ts'
import { eachServer, readSizes } from './each-server.ts'
import { incumbentOf } from './incumbent.ts'
import { timed } from './measure.ts'
import { rowsRead } from './server-load.ts'

const RANGE = { start: '2025-12-01', end: '2026-11-20' }
const MONTH = { start: '2026-10-01', end: '2026-10-31' }

/** The questions of a dashboard: metric, parameters. */
const QUESTIONS: readonly (readonly [title: string, metric: string, params: RawInput, spec?: RawInput])[] = [
  ['MRR now', 'mrr', { query_type: 'current' }],
  ['MRR by plan', 'mrr', { query_type: 'current' }, { dimensions: ['plan_id'] }],
  ['36-month series', 'mrr', { query_type: 'series', start: '2023-12-01', end: '2026-11-20', interval: 'month' }],
  ['daily series of 36 months', 'mrr', { query_type: 'series', start: '2023-12-01', end: '2026-11-20', interval: 'day' }],
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
  await runIncumbent(database)
  const engine = await openBenchEngine(database.url, bench, 300_000, 'on')
  const counted = async (title: string, work: () => Promise<string>): Promise<void> => {
    const before = await rowsRead(database)
    const result = await work()
    out(`${title}: ${result}, ${thousands((await rowsRead(database)) - before)} rows read by the server`)
  }
  try {
    await counted('first fill and answer', async () => {
      const [fill] = await timed(() => engine.query('trials', { query_type: 'series', ...RANGE, interval: 'year' }))
      return `${seconds(fill)}, resident ${Math.round(process.memoryUsage().rss / 1e6)} MB`
    })
    // Asked again, an answer is not computed: only the first time tells.
    for (const [index, [title]] of QUESTIONS.entries()) {
      const [[first], [again]] = [await timed(() => ask(engine, index)), await timed(() => ask(engine, index))]
      out(`${title}: ${seconds(first)}, again ${seconds(again)}`)
    }
    const [dashboard] = await timed(() => Promise.all(QUESTIONS.map((_, index) => ask(engine, index))))
    out(`the whole dashboard again, in parallel: ${seconds(dashboard)}`)
    await touch(database, 1)
    const [computed] = await timed(() => Promise.all(QUESTIONS.map((_, index) => ask(engine, index))))
    out(`the whole dashboard in parallel after a change: ${seconds(computed)}`)
    await counted('MRR now while nothing changes', async () => seconds((await timed(() => ask(engine, 0)))[0]))
    for (const count of TOUCHED) {
      await touch(database, count)
      await counted(`MRR now after ${count} touched accounts`, async () => seconds((await timed(() => ask(engine, 0)))[0]))
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

/** The table of transitions that others keep, for comparison. */
async function runIncumbent(database: BenchDatabase): Promise<void> {
  const incumbent = incumbentOf(database)
  try {
    out(`table of transitions: made in ${seconds(await incumbent.setUp())}`)
    out(`  MRR of each day of 36 months ${seconds(await incumbent.dailyMrr())}, MRR now ${seconds(await incumbent.point())}`)
    for (const count of TOUCHED) out(`  renewed for ${count} accounts in ${seconds(await incumbent.refresh(count))}`)
  } finally {
    await incumbent.drop()
  }
}

/** Rows in a change log about that many accounts; nothing else changes. */
async function touch(database: BenchDatabase, count: number): Promise<void> {
  await database.adminQuery(`insert into bundle_history (record_id, id, target_record_id, external_key, account_id, last_sys_update_date,
    original_created_date, change_type, created_by, created_date, updated_by, updated_date, account_record_id, tenant_record_id)
    select (select coalesce(max(record_id), 0) from bundle_history) + row_number() over (order by bundle.record_id), bundle.id,
      bundle.record_id, 'touched', bundle.account_id, bundle.created_date, bundle.created_date, 'UPDATE', 'bench', bundle.created_date,
      'bench', bundle.created_date, bundle.account_record_id, bundle.tenant_record_id
    from bundles as bundle where bundle.record_id in (select min(record_id) from bundles group by account_record_id)
    order by bundle.record_id limit ${count}`)
}

function thousands(count: number): string {
  return count.toLocaleString('en')
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
