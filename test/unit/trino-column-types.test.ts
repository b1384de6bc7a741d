import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kindOfColumn } from '../../connectors/killbill/column-kinds.ts'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { READ_COLUMNS } from '../../connectors/killbill/required-schema.ts'
import { unfitColumns } from '../../src/connector-kit/column-types.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { readSchema } from '../support/data/killbill/killbill-fixture.ts'
import { type AskedDouble, askDouble } from '../support/databases/servers/asked-double.ts'
import { failure, part, type TrinoDouble } from '../support/databases/servers/trino-double.ts'

/** The type that a copy of a recorded column has. */
function copiedType(type: string): string {
  if (type === 'datetime') return 'timestamp(6)'
  return /^(bigint|integer|smallint|boolean|date|decimal\(.*\))$/.test(type) ? type : 'varchar'
}

/** The types of the columns that the connector reads, as a copy of a real installation has them. */
const COPIED: ReadonlyMap<string, string> = new Map(
  Object.entries(readSchema().tables).flatMap(([table, { columns }]) =>
    columns.flatMap(({ name, type }) =>
      READ_COLUMNS.has(`${table}.${name}`) ? [[`${table}.${name}`, copiedType(type)] as [string, string]] : [],
    ),
  ),
)

describe('types of copied columns', () => {
  it('fit what the engine keeps in them', () => {
    expect(unfitColumns(COPIED, kindOfColumn)).toEqual([])
    // The recording has no column of Kill Bill 0.22, and no table of the plugin Analytics.
    const unknown = [...READ_COLUMNS].filter((name) => !COPIED.has(name) && !name.startsWith('analytics_'))
    expect(unknown).toEqual(['invoice_payments.success'])
  })

  it.each([
    ['accounts.created_date', 'varchar', 'timestamp(6)'],
    ['accounts.created_date', 'bigint', 'timestamp(6)'],
    ['accounts.created_date', 'date', 'timestamp(6)'],
    ['invoice_items.start_date', 'timestamp(6)', 'date'],
    ['tags.is_active', 'tinyint', 'boolean'],
    ['invoice_items.amount', 'double', 'decimal'],
    ['invoice_items.amount', 'varchar(20)', 'decimal'],
    ['accounts.record_id', 'double', 'bigint'],
    ['accounts.record_id', 'decimal(38,9)', 'bigint'],
    ['accounts.id', 'uuid', 'varchar'],
    ['accounts.id', 'varbinary', 'varchar'],
  ])('%s that is %s must be %s', (name, type, best) => {
    expect(unfitColumns(new Map([[name, type]]), kindOfColumn)).toEqual([
      { name, text: `${name} is ${type} and must be ${best}` },
    ])
  })

  it.each([
    ['accounts.created_date', 'timestamp(3) with time zone'],
    ['accounts.record_id', 'decimal(20,0)'],
    ['accounts.id', 'char(36)'],
    ['accounts.notes', 'varbinary'],
  ])('%s may be %s', (name, type) => {
    expect(unfitColumns(new Map([[name, type]]), kindOfColumn)).toEqual([])
  })
})

describe('a copy with types that lose values', () => {
  let double: TrinoDouble
  let executor: Executor
  let { close } = {} as AskedDouble
  beforeAll(async () => {
    ;({ double, executor, close } = await askDouble())
  })
  afterAll(() => close())

  const WRONG = { 'accounts.created_date': 'varchar', 'tags.is_active': 'tinyint', 'invoice_items.amount': 'double' }
  const request = { now: new Date('2026-11-20T00:00:00Z'), definitions: definitionsSchema.parse({ base_currency: 'USD' }) }
  const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })
  const play = (wrong: Readonly<Record<string, string | undefined>> = WRONG) => {
    const names = ['table_name', 'column_name', 'data_type', 'may_read', 'is_view', 'is_restricted']
    const columns = names.map((name) => ({ name, type: /^(may|is)_/.test(name) ? 'boolean' : 'varchar' }))
    const data = [...new Map([...COPIED, ...Object.entries(wrong)])].flatMap(([name, type]) =>
      type === undefined ? [] : [[...name.split('.'), type, true, false, false]],
    )
    double.play({ gets: [part({ columns, data }, null), failure('COLUMN_NOT_FOUND', 'Column cannot be resolved')] })
  }

  it('is refused by column when it is opened', async () => {
    play()
    const error: unknown = await executor
      .withSnapshot((snapshot) => connector.open(snapshot, request))
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'unsupported_by_connector', context: { columns: Object.keys(WRONG).sort() } })
    expect(error).not.toHaveProperty('context.publications_only')
    expect(double.methods()).toEqual(['POST', 'GET'])
    expect(double.seen.find(({ method }) => method === 'POST')?.body).toContain('data_type')
  })

  it('is for publications only if they cast it', async () => {
    play({ 'accounts.created_date': 'varchar', 'tags.is_active': 'tinyint', 'tags.created_date': 'bigint' })
    await expect(executor.withSnapshot((snapshot) => connector.open(snapshot, request))).rejects.toMatchObject({
      message: expect.stringContaining('types that only publications read'),
      context: { publications_only: true },
    })
  })

  it('names columns that a PostgreSQL catalog leaves out, and the setting that shows them', async () => {
    play({ 'accounts.created_date': undefined, 'invoices.created_date': undefined })
    await expect(executor.withSnapshot((snapshot) => connector.open(snapshot, request))).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      message: expect.stringMatching(
        /whose type is a domain \(accounts\.created_date, invoices\.created_date\): set unsupported-type-handling = CONVERT_TO_VARCHAR/,
      ),
    })
  })

  it('is a failure of check, which names each column', async () => {
    play()
    const findings = await executor.withSnapshot(async (snapshot) => connector.check?.(snapshot, request))
    expect(findings).toMatchObject([{ level: 'failure' }])
    for (const [name, type] of Object.entries(WRONG)) expect(findings?.[0]?.message).toContain(`${name} is ${type} and must be`)
  })
})
