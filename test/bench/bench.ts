import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { MEBIBYTE } from '../../src/databases/options.ts'
import { benchDatabase, count } from './bench-data.ts'
import type { BenchDatabase, BenchServer } from './bench-database.ts'
import { type BenchStore, createBenchStore, openBenchEngine } from './bench-engine.ts'
import { eachServer, readSizes } from './each-server.ts'
import { explainTask } from './explain.ts'
import { foldMrr } from './fold-mrr.ts'
import { measure, median } from './measure.ts'
import { measureReference } from './reference.ts'
import { markdownReport, type TargetOutcome, type TaskOutcome } from './report.ts'
import { type BenchTask, type QueryTask, TASKS } from './tasks.ts'

const USAGE = `Times metrics, summary and lists on generated databases, which are made on first use and kept.
  --size 100000,250000         subscriptions (100000)
  --targets postgres,mariadb
  --tasks point,series,…       of ${TASKS.map((task) => task.name).join(', ')}
  --runs 5                     warm runs at most; none begins after 120 s
  --timeout 300                seconds per statement
  --memory 128                 limits.session_memory_mb
  --explain                    print statements and plans with actual figures instead of timing
  --fresh                      make the databases anew
`
const ENOUGH_MS = 120_000
const REFERENCE_RUNS = 3

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    targets: { type: 'string', default: 'postgres,mariadb' },
    tasks: { type: 'string', default: TASKS.map((task) => task.name).join(',') },
    runs: { type: 'string', default: '5' },
    timeout: { type: 'string', default: '300' },
    memory: { type: 'string', default: '128' },
    explain: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)
const timeoutMs = Number(values.timeout) * 1000
const memoryMb = Number(values.memory)

if (values.help) process.stdout.write(USAGE)
else await main()

async function main(): Promise<void> {
  const tasks = values.tasks.split(',').map(taskNamed)
  const sizes = readSizes(values.size)
  const store = await createBenchStore()
  const outcomes: TargetOutcome[] = []
  const machine = [`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`]
  try {
    await eachServer(values.targets, async (server) => {
      machine.push(await server.describe())
      for (const size of sizes) outcomes.push(...(await runSize(server, size, store, tasks)))
    })
  } finally {
    await store.remove()
  }
  if (values.explain) return
  const loads = loadavg().map((load) => load.toFixed(1))
  machine.push(`load average at the end ${loads.join(', ')} (1, 5, 15 minutes)`)
  process.stdout.write(`${markdownReport(outcomes, machine)}\n`)
}

async function runSize(
  server: BenchServer,
  size: number,
  store: BenchStore,
  tasks: readonly BenchTask[],
): Promise<TargetOutcome[]> {
  progress(`${server.place.name} ${size}: database`)
  const database = await benchDatabase(server, size, { fresh: values.fresh, progress })
  try {
    if (values.explain) {
      for (const task of tasks) if (task.kind === 'query') await printPlans(database, store, task)
      return []
    }
    const outcomes: TaskOutcome[] = []
    const references: number[] = []
    for (const task of tasks) {
      progress(`${server.place.name} ${size}: ${task.name}`)
      // Measured again for each task: other work on the machine slows both alike.
      const reference = await measureReference(database, REFERENCE_RUNS)
      references.push(reference)
      const result = await runTask(database, store, task)
      progress(
        `  ${typeof result === 'string' ? result : `cold ${result.cold.toFixed(0)} ms, warm ${result.warm.toFixed(0)} ms`}`,
      )
      outcomes.push({ title: task.title, answer: task.answer, reference, result })
    }
    return [
      {
        target: server.place.name,
        subscriptions: await count(database, 'subscriptions'),
        events: await count(database, 'subscription_events'),
        reference: median(references),
        tasks: outcomes,
      },
    ]
  } finally {
    await database.drop()
  }
}

async function runTask(database: BenchDatabase, store: BenchStore, task: BenchTask): Promise<TaskOutcome['result']> {
  const { run, close } = await prepare(database, store, task)
  try {
    return await measure(run, { runs, enough_ms: ENOUGH_MS })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await close()
  }
}

// Each task has its own connections: the cold run connects, reads the catalogs and compiles.
async function prepare(database: BenchDatabase, store: BenchStore, task: BenchTask) {
  if (task.kind === 'fold') {
    const executor = database.executor({ statementTimeoutMs: timeoutMs, sessionMemoryBytes: memoryMb * MEBIBYTE })
    return { run: async (): Promise<unknown> => foldMrr(executor), close: () => executor.close() }
  }
  const engine = await openBenchEngine(database.url, store, timeoutMs, 'off', memoryMb)
  const answer = () => (task.kind === 'ask' ? task.ask(engine) : engine.query(task.metric, task.params, task.spec))
  return {
    run: async (): Promise<unknown> => (await answer()).data,
    close: () => engine.close(),
  }
}

async function printPlans(database: BenchDatabase, store: BenchStore, task: QueryTask): Promise<void> {
  const engine = await openBenchEngine(database.url, store, timeoutMs, 'off', memoryMb)
  try {
    const executor = database.executor({ statementTimeoutMs: timeoutMs, sessionMemoryBytes: memoryMb * MEBIBYTE })
    process.stdout.write(`-- ${database.target}: ${task.title}\n${await explainTask(engine, executor, task)}\n\n`)
  } finally {
    await engine.close()
  }
}

function taskNamed(name: string): BenchTask {
  const task = TASKS.find((each) => each.name === name)
  if (task === undefined) throw new Error(`no task ${name}; there are ${TASKS.map((each) => each.name).join(', ')}`)
  return task
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
