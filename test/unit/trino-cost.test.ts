import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StatementCost } from '../../src/compiler/statement.ts'
import { type Recording, recorded } from '../../src/execution/explain/record.ts'
import { explanationText } from '../../src/facades/presentation/explanation-text.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { ASK, type AskedDouble, askDouble, COLUMNS } from '../support/databases/servers/asked-double.ts'
import { json, part, type TrinoDouble } from '../support/databases/servers/trino-double.ts'

let double: TrinoDouble
let executor: Executor
let { close } = {} as AskedDouble
beforeAll(async () => {
  ;({ double, executor, close } = await askDouble())
})
afterAll(() => close())

const STATS = {
  state: 'FINISHED',
  physicalInputBytes: 12_345_678,
  processedRows: 99,
  cpuTimeMillis: 250,
  peakMemoryBytes: 5_000_000,
}
const COST: StatementCost = { bytes_read: 12_345_678, rows_read: 99, cpu_ms: 250, peak_memory_bytes: 5_000_000 }
const rows = (stats: unknown, next: string | null) => part({ columns: COLUMNS, data: [[1]], stats }, next)

async function costOf(): Promise<StatementCost | undefined> {
  let cost: StatementCost | undefined
  const onCost = (reported: StatementCost) => {
    cost = reported
  }
  await executor.withSnapshot((snapshot) => snapshot.query({ ...ASK, onCost }))
  return cost
}

it('the work of a query is what its last answer says', async () => {
  double.play({ gets: [rows({ ...STATS, cpuTimeMillis: 1 }, '/v1/2'), rows(STATS, null)] })
  expect(await costOf()).toEqual(COST)
  // A long number in the rows, so that all numbers come as texts.
  const text = JSON.stringify({ columns: COLUMNS, stats: STATS, data: [['id']] }).replace('"id"', '9007199254740993')
  double.play({ post: json(text) })
  expect(await costOf()).toEqual(COST)
})

it.each([[undefined], ['text'], [{ ...STATS, peakMemoryBytes: 'much' }], [{ ...STATS, processedRows: undefined }]])(
  'is not known from %j',
  async (stats) => {
    double.play({ gets: [rows(stats, null)] })
    expect(await costOf()).toBeUndefined()
  },
)

it('is in an explanation, and in its text', async () => {
  double.play({ gets: [rows(STATS, null)] })
  await executor.withSnapshot(async (snapshot) => {
    const context = { source: 'replica', session: { snapshot }, run: snapshot.query } as unknown as Recording['context']
    const recording = recorded(context)
    await recording.context.run(ASK)
    expect(recording.sql).toMatchObject([{ database: 'replica', text: ASK.text, rows: 1, cost: COST }])
    expect(explanationText({ ...EXPLANATION, sql: recording.sql })).toContain(
      '; read 12.3 MB and 99 rows, 250 ms of processors, at most 5.0 MB of memory\n',
    )
    double.play({})
    await recording.context.run(ASK)
    expect(recording.sql[1]).not.toHaveProperty('cost')
  })
})

const EXPLANATION = {
  answered_by: 'replica',
  sources: [],
  replica_sql: [],
  definitions: { name: 'default', version: '0', hash: '0', options: {} as never },
  data_through: null,
  warnings: [],
  excluded: { test_accounts: 0, unpriced_subscriptions: [] },
} as const
