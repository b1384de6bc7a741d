import { describe, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { changeLogs } from '../../src/cache/lake/change-logs.ts'
import { copiedConnector } from '../../src/cache/lake/copied-connector.ts'
import { type CopySettings, readCopy } from '../../src/cache/lake/copy.ts'
import type { CopyTool } from '../../src/cache/lake/copy-tools.ts'
import { recordOpening } from '../../src/cache/lake/opening.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import { plainSession } from '../../src/connector-kit/complete-session.ts'
import type { DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'

const PLACE = { catalog: 'lake', schema: 'billing' }
const killbill = createKillbillConnector({ tenant: ['all'], catalog: [] })
const ENGINE = killbill.mirror?.columns
if (ENGINE === undefined) throw new Error('the connector does not describe its columns')
const REQUEST = { now: new Date('2026-03-01T00:00:00Z'), definitions: definitionsSchema.parse({ base_currency: 'USD' }) }

type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>
/** The largest number of an epoch, and the tables that are logs. */
interface Content {
  readonly epoch?: string | null
  readonly logs?: readonly string[]
}

/** Trino with tables of these columns. Other statements are kept and have no rows. */
function trinoWith(tables: Tables, { epoch = null, logs = [] }: Content = {}) {
  const sent: Statement[] = []
  const query = async (statement: Statement): Promise<readonly Row[]> => {
    const { label, text, values } = statement
    if (label === 'lake.tables') return Object.keys(tables).map((table_name) => ({ table_name, table_type: 'BASE TABLE' }))
    if (label === 'lake.columns')
      return Object.entries(tables).flatMap(([table_name, columns]) =>
        values.includes(table_name)
          ? Object.entries(columns).map(([column_name, data_type]) => ({ table_name, column_name, data_type }))
          : [],
      )
    if (label === 'lake.epochs')
      return [Object.fromEntries([...text.matchAll(/ as (\w+)[, ]/g)].map(([, name]) => [name ?? '', epoch]))]
    if (label === 'lake.logs') return logs.filter((name) => text.includes(`'${name}'`)).map((table_name) => ({ table_name }))
    sent.push(statement)
    return []
  }
  const snapshot: Snapshot = {
    dialect: trino,
    query,
    async *stream(statement) {
      yield* await query(statement)
    },
  }
  return { snapshot, sent }
}

async function rowsIn(tables: Tables, settings: CopySettings = {}, content: Content = {}) {
  const { snapshot } = trinoWith(tables, content)
  const copy = await readCopy(snapshot, PLACE, ENGINE, settings)
  return {
    faults: copy.faults.map(({ message }) => message),
    casts: copy.casts,
    rows: Object.fromEntries(copy.rowsOf(copy.selects)),
  }
}

describe('rows of a copy', () => {
  it('are those of its tables if the types are those of the engine', async () => {
    const { faults, casts, rows } = await rowsIn({
      accounts: { record_id: 'bigint', created_date: 'timestamp(6)' },
      other: { x: 'row(a bigint)' },
    })
    expect([faults, casts]).toEqual([[], []])
    expect(rows).toEqual({ accounts: 'select * from lake.billing.accounts', other: 'select * from lake.billing.other' })
  })

  it.each([
    ['accounts.id', 'uuid', 'cast(id as varchar) as id'],
    [
      'accounts.created_date',
      'timestamp(6) with time zone',
      "cast(created_date at time zone 'UTC' as timestamp(6)) as created_date",
    ],
    ['tags.is_active', 'tinyint', 'is_active <> 0 as is_active'],
    ['tags.is_active', 'varchar', 'cast(is_active as boolean) as is_active'],
    ['invoice_items.amount', 'varchar', 'cast(amount as decimal(38, 12)) as amount'],
    ['accounts.record_id', 'varchar', 'cast(record_id as bigint) as record_id'],
    ['invoice_items.start_date', 'varchar', 'cast(start_date as date) as start_date'],
    ['invoice_items.start_date', 'integer', "date_add('day', start_date, date '1970-01-01') as start_date"],
  ])('%s that is %s is cast', async (name, type, cell) => {
    const [table = '', column = ''] = name.split('.')
    const { faults, casts, rows } = await rowsIn({ [table]: { [column]: type } })
    expect([faults, casts]).toEqual([[], [`${name} (${type})`]])
    expect(rows[table]).toBe(`select ${cell} from (select * from lake.billing.${table}) as copied`)
  })

  it.each([
    ['1767225600000', '1000000'],
    ['1767225600000000', '1000'],
    [null, '1000000'],
  ])('an instant that is a number, at most %s, counts %s nanoseconds', async (epoch, factor) => {
    const { faults, rows } = await rowsIn({ accounts: { created_date: 'bigint' } }, {}, { epoch })
    expect(faults).toEqual([])
    expect(rows['accounts']).toContain(`from_unixtime_nanos(cast(created_date as decimal(38, 0)) * ${factor}) at time zone 'UTC'`)
  })

  it.each([
    ['accounts.created_date', 'bigint', 'timestamp(6)', '1767225600'],
    ['accounts.created_date', 'bigint', 'timestamp(6)', '1767225600000000000'],
    ['accounts.created_date', 'date', 'timestamp(6)', null],
    ['invoice_items.amount', 'double', 'decimal', null],
    ['invoice_items.amount', 'real', 'decimal', null],
    ['invoice_items.start_date', 'timestamp(6)', 'date', null],
    ['accounts.record_id', 'double', 'bigint', null],
    ['accounts.id', 'varbinary', 'varchar', null],
  ])('%s that is %s must be %s', async (name, type, best, epoch) => {
    const [table = '', column = ''] = name.split('.')
    const { faults } = await rowsIn({ [table]: { [column]: type } }, {}, { epoch })
    expect(faults).toEqual([expect.stringContaining(`${name} is ${type} and must be ${best}`)])
  })

  it.each([
    ['fivetran', '_fivetran_deleted', 'boolean', 'not coalesce(_fivetran_deleted, false)'],
    ['fivetran', '_fivetran_deleted', 'tinyint', 'not coalesce(_fivetran_deleted <> 0, false)'],
    ['airbyte', '_ab_cdc_deleted_at', 'varchar', '_ab_cdc_deleted_at is null'],
    ['debezium', '__deleted', 'varchar', "coalesce(lower(cast(__deleted as varchar)), 'false') <> 'true'"],
  ] as const)('leave out what %s marks as deleted in %s (%s)', async (tool, mark, type, condition) => {
    const tables = { accounts: { record_id: 'bigint', [mark]: type }, tags: { record_id: 'bigint' } }
    const { faults, rows } = await rowsIn(tables, { tool })
    expect(faults).toEqual([])
    expect(rows['accounts']).toBe(
      `select record_id, ${mark} from (select * from lake.billing.accounts) as copied where ${condition}`,
    )
    expect(rows['tags']).toBe('select * from lake.billing.tags')
  })

  it.each([
    ['plain', '__deleted', 'varchar', 'Set lake.copied_by = "debezium"'],
    ['airbyte', '_fivetran_deleted', 'boolean', 'Set lake.copied_by = "fivetran"'],
    ['fivetran', 'record_id', 'bigint', 'none of the billing tables has its column _fivetran_deleted'],
    ['fivetran', '_fivetran_deleted', 'double', 'accounts._fivetran_deleted is double'],
  ] as const)('are refused if the tool is %s and there is %s (%s)', async (tool, column, type, text) => {
    const { faults } = await rowsIn({ accounts: { [column]: type } }, { tool: tool satisfies CopyTool })
    expect(faults).toEqual([expect.stringContaining(text)])
  })
})

describe('statements over a copy', () => {
  const tables = { 'topic.accounts': { id: 'uuid', record_id: 'bigint' }, invoices: { id: 'varchar' } }
  const overIt = async () => {
    const { snapshot, sent } = trinoWith(tables)
    const copy = await readCopy(snapshot, PLACE, ENGINE, { names: { accounts: 'topic.accounts' } })
    return { over: copy.over(snapshot, copy.selects), sent }
  }

  it('read the rows of the engine', async () => {
    const { over, sent } = await overIt()
    await over.query({ text: 'select a.id from accounts as a', values: [], label: 'q' })
    expect(sent[0]?.text).toBe(
      'with accounts as (select cast(id as varchar) as id, record_id from (select * from lake.billing."topic.accounts") as copied)\nselect a.id from accounts as a',
    )
  })

  it('see the names and the types of the engine in the schema, and other tables as they are', async () => {
    const { over, sent } = await overIt()
    const text =
      '/* killbill.columns */ select c.data_type from information_schema.columns as c join information_schema.tables as t on true where c.table_name = ?'
    await over.query({ text, values: ['accounts'], label: 'q' })
    expect(sent[0]?.values).toEqual(['accounts'])
    const [schema = '', question] = sent[0]?.text.split(/\n(?=select c\b)/) ?? []
    expect(schema).toMatch(/^\/\* killbill\.columns \*\/ with seen_tables/)
    expect(question).toBe('select c.data_type from seen_columns as c join seen_tables as t on true where c.table_name = ?')
    expect(schema).toContain("('accounts', 'id', 'varchar'), ('accounts', 'record_id', 'bigint')")
    expect(schema).toContain("table_name not in ('invoices', 'accounts')")
  })

  it('see no columns of a table that shows none', async () => {
    const { snapshot, sent } = trinoWith({ accounts: {} })
    const copy = await readCopy(snapshot, PLACE, ENGINE)
    const text = 'select column_name from information_schema.columns'
    await copy.over(snapshot, copy.selects).query({ text, values: [], label: 'q' })
    expect(sent[0]?.text).toContain("where table_name not in ('accounts'))\nselect column_name from seen_columns")
  })

  it('are as they were where the connector does not describe its columns', async () => {
    const { snapshot, sent } = trinoWith(tables)
    const copy = await readCopy(snapshot, PLACE, undefined)
    const text = 'select table_name from information_schema.tables'
    await copy.over(snapshot, copy.selects).query({ text, values: [], label: 'q' })
    expect(sent[0]?.text).toBe(text)
    expect(copy.faults).toEqual([])
  })
})

it('logs of changes are named, in few statements', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `t${index}`)
  const tables = names.map((name) => ({ name, source: name, isView: false, columns: [{ name: 'record_id', type: 'bigint' }] }))
  const keyless = { name: 'keyless', source: 'keyless', isView: false, columns: [] }
  const asked: string[] = []
  const { snapshot } = trinoWith({}, { logs: ['t3', 't24'] })
  const counting: Snapshot = {
    ...snapshot,
    query: (statement) => {
      asked.push(statement.text)
      return snapshot.query(statement)
    },
  }
  const selects = new Map([...names, 'keyless'].map((name) => [name, `select * from ${name}`]))
  expect(await changeLogs(counting, [...tables, keyless], selects, 'record_id')).toEqual(['t24', 't3'])
  expect(asked).toHaveLength(3)
  expect(asked.join()).not.toContain('keyless')
})

describe('a connector over a copy', () => {
  const FINDING = { name: 'engine', level: 'ok', message: 'checked' } as const
  const inner: DatabaseConnector = {
    ...killbill,
    open: async () => plainSession({ sources: [], currencies: [] }),
    check: async (snapshot) => {
      await snapshot.query({ text: 'select 1 from accounts', values: [], label: 'q' })
      return [FINDING]
    },
  }
  const over = (copy: CopySettings) => copiedConnector(inner, { billing: PLACE, copy })
  const MARKED = { accounts: { record_id: 'bigint', _fivetran_deleted: 'boolean' } }

  it.each([
    [{ tool: 'fivetran' }, 'fivetran has copied them'],
    [{ names: { accounts: 'konten' } }, 'lake.tables'],
  ] as const)('opens for publications only: %j', async (copy, text) => {
    const { snapshot } = trinoWith(MARKED)
    await expect(over(copy).open(snapshot, REQUEST)).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      message: expect.stringContaining(text),
      context: { publications_only: true },
    })
    await over(copy).open(recordOpening(snapshot).snapshot, REQUEST)
    await over({ tool: 'plain' }).open(snapshot, REQUEST)
  })

  it('checks the rows that a publication reads', async () => {
    const { snapshot, sent } = trinoWith(MARKED)
    expect(await over({ tool: 'fivetran' }).check?.(snapshot, REQUEST)).toEqual([
      { name: 'lake_copy', level: 'ok', message: expect.stringContaining('only publications read the billing tables') },
      FINDING,
    ])
    expect(sent[0]?.text).toContain('where not coalesce(_fivetran_deleted, false)')
  })

  it('says that types are cast, and names logs of changes and lost digits', async () => {
    const cast = trinoWith({ accounts: { record_id: 'bigint', created_date: 'varchar' } })
    expect(await over({}).check?.(cast.snapshot, REQUEST)).toMatchObject([
      { level: 'ok', message: expect.stringContaining('publications cast accounts.created_date (varchar)') },
      FINDING,
    ])
    const wrong = trinoWith({ accounts: { record_id: 'double' }, tags: { record_id: 'bigint' } }, { logs: ['tags'] })
    expect(await over({}).check?.(wrong.snapshot, REQUEST)).toMatchObject([
      { level: 'failure', message: expect.stringContaining('accounts.record_id is double') },
      { level: 'failure', message: expect.stringContaining('Several rows have the same record_id in tags') },
    ])
    expect(wrong.sent).toEqual([])
  })
})
