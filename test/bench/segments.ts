import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { AttributeEntry } from '../../src/core/attribute.ts'
import type { Engine } from '../../src/engine/contract.ts'
import type { WorkspaceStore } from '../../src/ports/store.ts'
import { benchDatabase } from './bench-data.ts'
import type { BenchDatabase } from './bench-database.ts'
import { createBenchStore, openBench } from './bench-engine.ts'
import { eachServer } from './each-server.ts'
import { median, timed } from './measure.ts'

const USAGE = `Times metrics narrowed by a segment, and compared over ten, beside the same metrics of everybody.
  --size 100000                subscriptions
  --targets postgres,mariadb
  --customers 100000           customers with a value, at most all there are
  --questions point,series,…   of point, series, breakdown
  --rounds 5                   each round runs the three one after the other
`
const RANGE = { start: '2025-12-01', end: '2026-11-20' }
const QUESTIONS = [
  { short: 'point', name: 'point MRR', params: { query_type: 'current' } },
  { short: 'series', name: '12-month series', params: { query_type: 'series', ...RANGE, interval: 'month' } },
  {
    short: 'breakdown',
    name: 'one-month breakdown',
    params: { query_type: 'breakdown', start: '2026-10-01', end: '2026-10-31' },
  },
] as const
const SCORES = 20
const AT = '2026-11-21T00:00:00.000Z'
const BATCH = 1_000

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    targets: { type: 'string', default: 'postgres,mariadb' },
    customers: { type: 'string', default: '100000' },
    questions: { type: 'string', default: QUESTIONS.map(({ short }) => short).join(',') },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else
  await eachServer(values.targets, async (server) => {
    const database = await benchDatabase(server, Number(values.size), { fresh: false, progress: say })
    try {
      await compareOn(database, Number(values.customers))
    } finally {
      await database.drop()
    }
  })

async function compareOn(database: BenchDatabase, customers: number): Promise<void> {
  const bench = await createBenchStore()
  const { engine, owned } = await openBench(database.url, bench, 600_000)
  try {
    const [filled, count] = await timed(() => giveScores(database, owned, customers))
    say(`${database.target}: ${count} customers have a score (${Math.round(filled)} ms)`)
    const ids = await saveSegments(owned)
    const asked = QUESTIONS.filter(({ short }) => values.questions.split(',').includes(short))
    for (const { name, params } of asked) await compareOne(database.target, engine, name, params, ids)
  } finally {
    await engine.close()
    await bench.remove()
  }
}

// One after the other in each round, so that other work on the machine slows all three alike.
async function compareOne(target: string, engine: Engine, name: string, params: object, ids: readonly string[]): Promise<void> {
  const specs = [{}, { segment: ids[0] }, { compare: ids }]
  const times: number[][] = specs.map(() => [])
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [index, spec] of specs.entries())
      times[index]?.push((await timed(() => engine.query('mrr', { ...params }, spec)))[0])
  }
  const [plain = 0, one = 0, ten = 0] = times.map(median)
  const ratio = (time: number) => (time / plain).toFixed(2)
  process.stdout.write(
    `| ${target} | ${name} | ${Math.round(plain)} | ${Math.round(one)} (${ratio(one)}×) | ${Math.round(ten)} (${ratio(ten)}×) | ${loadavg()[0]?.toFixed(1)} |\n`,
  )
}

async function giveScores(database: BenchDatabase, owned: WorkspaceStore, customers: number): Promise<number> {
  const rows = await database.adminQuery(
    `select a.id as customer_id, t.id as source_id from accounts a join tenants t on t.record_id = a.tenant_record_id order by a.record_id limit ${customers}`,
  )
  const entries = rows.map(
    (row, index): AttributeEntry => ({
      key: 'score',
      type: 'number',
      source_id: String(row['source_id']),
      customer_id: String(row['customer_id']),
      value: String(index % SCORES),
    }),
  )
  await owned.attributes.change(async (writer) => {
    await writer.define({
      key: 'score',
      label: 'score',
      type: 'number',
      source: 'csv',
      description: null,
      created_at: AT,
      updated_at: AT,
    })
    for (let first = 0; first < entries.length; first += BATCH) await writer.put(entries.slice(first, first + BATCH), 'csv', AT)
  })
  return entries.length
}

async function saveSegments(owned: WorkspaceStore): Promise<readonly string[]> {
  const ids = Array.from({ length: 10 }, () => randomUUID())
  for (const [index, id] of ids.entries()) {
    const conditions = [{ field: 'attr.score', op: 'between', value: [index, index + 2] }]
    const record = { id, name: `scores ${index}`, description: null, created_by: null, created_at: AT, updated_at: AT }
    await owned.segments.create({ ...record, definition: { version: 1, root: { op: 'and', conditions } } })
  }
  return ids
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
