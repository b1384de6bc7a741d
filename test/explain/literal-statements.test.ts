import { afterAll, beforeAll, expect, it } from 'vitest'
import { createQueryRunner, sql, value } from '../../src/connector-kit/query-runner.ts'
import type { Engine, Explanation } from '../../src/engine/engine.ts'
import { written } from '../../src/execution/explain/record.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { Row } from '../../src/ports/rows.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { everyEngine, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { OPTION_SETS } from '../support/product/option-sets.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { clientOf, type RunScript } from './database-client.ts'

const RANGE = { start: '2026-01-01', end: '2026-06-30' }

const QUESTIONS = BILLING_METRICS.flatMap(({ name: metric, queries }) =>
  Object.entries(queries).map(([query_type, { inputs }]) => ({
    name: `${metric}.${query_type}`,
    metric,
    params: { query_type, ...paramsForDays(inputs, RANGE), explain: 'true' },
  })),
)

/** Texts that end a literal, begin an escape or mean something to a client. */
const HOSTILE = [
  "it's",
  "'; drop table accounts; --",
  'back\\slash',
  "\\'; select 1; --",
  'two\\\\',
  'line\nfeed\ttab\rreturn',
  '"double" `tick`',
  '/* no comment */ -- either',
  "$1 ? :name :'name' %s \\g \\! ls",
  'ünïcode 漢字 🙂 \u0301',
  '\u0007\u001b[31m\u007f',
  '\u001a',
  '',
  ' ',
]

everyEngine('literal statements of recorded data', (target) => {
  let database: TestDatabase
  let engine: Engine
  let executor: Executor
  let client: RunScript | undefined
  beforeAll(async () => {
    database = await sharedReal(target)
    engine = await engineOver(database, { tenant: ['all'], sets: OPTION_SETS })
    executor = database.executor()
    client = clientOf(database)
  })
  afterAll(async () => {
    await engine.close()
    await database.drop()
  })

  const direct = (statement: Explanation['sql'][number]) =>
    executor.withSnapshot((snapshot) => snapshot.query({ ...statement, label: 'test' }))

  it.runIf(target.name !== 'pglite').each(sampleOf(target, QUESTIONS, { first: 7, others: 7 }))(
    '$name: a client gives the same rows for each statement',
    async ({ metric, params }) => {
      const { explanation, ...answer } = await engine.query(metric, params)
      expect(answer.data).toEqual((await engine.query(metric, { ...params, explain: 'false' })).data)
      const statements = explanation?.sql ?? []
      expect(statements.length).toBeGreaterThan(0)
      for (const statement of statements) {
        const rows = await direct(statement)
        expect(rows.length).toBe(statement.rows)
        // Statements without an order may give their rows in another one each time.
        expect(inOrder((await client?.(statement.literal)) ?? [])).toEqual(inOrder(cellsOf(rows)))
      }
    },
  )

  it.runIf(target.name !== 'pglite').each([
    ['mrr', { query_type: 'series', interval: 'month' }],
    ['mrr', { query_type: 'breakdown' }],
    ['retention', { query_type: 'cohort_matrix' }],
  ])('days of a zone are written out: %s %j', async (metric, query) => {
    const { explanation } = await engine.query(metric, { ...RANGE, ...query, definitions: 'zoned', explain: 'true' })
    expect(explanation?.definitions.options.time_zone).toBe(OPTION_SETS.zoned.time_zone)
    // The begin of summer time in Los Angeles.
    expect(explanation?.sql.map(({ literal }) => literal).join()).toContain("timestamp '2026-03-08 10:00:00'")
    for (const statement of explanation?.sql ?? [])
      expect(inOrder((await client?.(statement.literal)) ?? [])).toEqual(inOrder(cellsOf(await direct(statement))))
  })

  it.runIf(target.name !== 'pglite')('a client reads every text, number, instant and null as it is bound', async () => {
    const texts = HOSTILE.map((text, index) => sql`select ${value(index, 'integer')} as nth, ${value(text, 'text')} as content`)
    const all = texts.slice(1).reduce((one, next) => sql`${one} union all ${next}`, texts[0] ?? sql``)
    const cells = sql`${value(-7, 'integer')} as negative, ${value('-9223372036854775808', 'integer')} as least,
      ${value('12.500000000001', 'decimal')} as rate, ${value(null, 'text')} as nothing, ${value(true, 'boolean')} as truth,
      ${value(new Date('2026-03-29T01:30:00.123Z'), 'timestamp')} as instant, ${value('2026-02-28', 'date')} as day,
      ${value('[1,"a\\\\n\\"b\'"]', 'json')} as document`
    await executor.withSnapshot(async (snapshot) => {
      for (const fragment of [sql`select * from (${all}) as drawn order by nth`, sql`select ${cells}`]) {
        let literal = ''
        const recording = {
          ...snapshot,
          query: (statement: Parameters<typeof snapshot.query>[0]) => {
            literal = written(statement, snapshot).literal
            return snapshot.query(statement)
          },
        }
        const rows = await createQueryRunner(recording)('test.literal', fragment)
        expect(await client?.(literal)).toEqual(cellsOf(rows))
      }
    })
  })

  it('a filter with quotes and backslashes is answered and written out', async () => {
    const name = "O'Neil \\ Sons\n"
    const { explanation, data } = await engine.query(
      'mrr',
      { at: RANGE.end, explain: 'true' },
      { filters: { customer_name: name } },
    )
    expect(data).toBe(0)
    const [statement] = explanation?.sql ?? []
    expect(statement?.values).toContain(name)
    if (statement !== undefined && client !== undefined)
      expect(await client(statement.literal)).toEqual(cellsOf(await direct(statement)))
  })

  it('refuses NUL', async () => {
    const asked = engine.query('mrr', { at: RANGE.end, explain: 'true' }, { filters: { customer_name: 'a\0b' } })
    await expect(asked).rejects.toMatchObject({ status: 400 })
  })
})

/** Rows as a client prints them, in the order of the statement. */
function cellsOf(rows: readonly Row[]): readonly (readonly (string | null)[])[] {
  return rows.map((row) =>
    Object.values(row).map((cell) => (cell === null ? null : cell === true ? 't' : cell === false ? 'f' : String(cell))),
  )
}

function inOrder(rows: ReturnType<typeof cellsOf>): ReturnType<typeof cellsOf> {
  return rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}
