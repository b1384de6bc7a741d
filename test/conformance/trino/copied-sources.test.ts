import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../../connectors/killbill/index.ts'
import { copiedConnector } from '../../../src/cache/lake/copied-connector.ts'
import { type CopySettings, readCopy } from '../../../src/cache/lake/copy.ts'
import { publishedRelations } from '../../../src/cache/lake/lake-source.ts'
import { replayOpening } from '../../../src/cache/lake/opening.ts'
import { type LakePlace, nameIn } from '../../../src/cache/lake/place.ts'
import { createPublications } from '../../../src/cache/lake/publications.ts'
import { type PublishOptions, planPublication, publish } from '../../../src/cache/lake/publish.ts'
import { tableOf } from '../../../src/cache/lake/steps-as-tables.ts'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import { sqlNow } from '../../../src/core/periods.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { sharedReal } from '../../support/data/killbill/recorded-database.ts'
import { describeTrino, postgresOfTrino } from '../../support/databases/servers/shared-trino.ts'
import type { TestDatabase } from '../../support/databases/targets.ts'
import { copyToTrino, createTrinoSchema, type TrinoSchema } from '../../support/databases/trino-copy.ts'
import { DEFINITIONS, heldDifferences, linesOf, soakedCache } from '../../support/product/held-rows.ts'
import { END_OF_RECORDING, killbillCatalog } from '../../support/product/recorded-engine.ts'

const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })
const { mirror } = connector
if (mirror?.columns === undefined) throw new Error('the connector does not describe its columns')
const ENGINE = mirror.columns
const STOP = new AbortController().signal
const SETTINGS: CopySettings = { tool: 'debezium', names: { accounts: 'Topic-ACCOUNTS', tags: 'topic_tags' } }
/** Tables that get deleted rows with other keys. */
const WITH_DELETED = ['accounts', 'subscriptions', 'subscription_events', 'invoices', 'invoice_items', 'tags']
/** Columns in the types of one tool or another. Instants of the others take turns. */
const TYPES: Readonly<Record<string, (name: string) => string>> = {
  'subscriptions.start_date': milliseconds,
  'subscriptions.charged_through_date': milliseconds,
  'invoice_items.catalog_effective_date': milliseconds,
  'invoice_items.start_date': (name) => `cast(date_diff('day', date '1970-01-01', ${name}) as integer)`,
  'invoice_items.end_date': text,
  'invoice_items.amount': text,
  'invoice_payments.amount': text,
  'accounts.id': uuid,
  'subscriptions.id': uuid,
  'invoices.id': uuid,
  'bundles.record_id': text,
}
const INSTANTS = [microseconds, text, zoned, iso] as const

function text(name: string): string {
  return `cast(${name} as varchar)`
}
function uuid(name: string): string {
  return `cast(${name} as uuid)`
}
function zoned(name: string): string {
  return `with_timezone(${name}, 'UTC')`
}
function iso(name: string): string {
  return `replace(cast(${name} as varchar), ' ', 'T') || 'Z'`
}
function milliseconds(name: string): string {
  return `date_diff('millisecond', timestamp '1970-01-01 00:00:00', ${name})`
}
function microseconds(name: string): string {
  const seconds = `date_diff('second', timestamp '1970-01-01 00:00:00', date_trunc('second', ${name}))`
  return `(${seconds} * 1000000 + cast(substr(cast(${name} as varchar), -6) as bigint))`
}

/** A cell of a copy that a tool has made. */
function cellOf(table: string, { name, type }: { readonly name: string; readonly type: string }, turn: number): string {
  const place = `${table}.${name}`
  const kind = ENGINE.kindOf(place)
  const own = TYPES[place]
  if (own !== undefined) return own(name)
  if (kind === 'boolean') return `cast(${name} as integer)`
  if (kind === 'timestamp' && type.startsWith('timestamp')) return INSTANTS[turn % INSTANTS.length]?.(name) ?? name
  return name
}

describeTrino('a publication from a copy that a tool has made', (server) => {
  const place: LakePlace = { catalog: 'lake', schema: `pl_${randomBytes(6).toString('hex')}` }
  let source: TestDatabase
  let copy: TrinoSchema
  let writer: Executor
  let options: PublishOptions

  /** Makes a table as the tool does, without a column of keys that all have. */
  const retype = async (plain: TrinoSchema, table: string) => {
    const columns = (
      await plain.run(`select column_name, data_type from lake.information_schema.columns
      where table_schema = '${plain.schema}' and table_name = '${table}' order by ordinal_position`)
    ).map((row) => ({
      name: String(row['column_name']),
      type: String(row['data_type']),
    }))
    const cells = columns.map((column, index) => `${cellOf(table, column, index)} as ${column.name}`)
    const target = nameOf(table)
    await copy.run(
      `create table ${target} as select ${cells.join(', ')}, cast('false' as varchar) as __deleted from lake.${plain.schema}.${table}`,
    )
    if (!WITH_DELETED.includes(table)) return
    const later = columns.map(({ name }) => (name === 'record_id' ? 'record_id + 900000' : name))
    await copy.run(`insert into ${target} select ${later.join(', ')}, 'true' from ${target}`)
  }
  const nameOf = (table: string) => `"${(SETTINGS.names?.[table] ?? table).toLowerCase()}"`

  beforeAll(async () => {
    source = await sharedReal(postgresOfTrino())
    const plain = await copyToTrino(await server(), source)
    copy = await createTrinoSchema(await server())
    const tables = await plain.run(`select table_name from lake.information_schema.tables where table_schema = '${plain.schema}'`)
    for (const row of tables)
      if (ENGINE.tables.includes(String(row['table_name']))) await retype(plain, String(row['table_name']))
    for (const column of ['start_date', 'charged_through_date']) {
      const lost = `select count(*) as n from lake.${plain.schema}.subscriptions where ${column} <> date_trunc('millisecond', ${column})`
      expect(await plain.run(lost)).toEqual([{ n: '0' }])
    }
    writer = copy.executor({ trino: { mayWrite: true }, poolSize: 4 })
    options = {
      connector,
      mirror,
      catalog: killbillCatalog(),
      definitions: DEFINITIONS,
      dialect: trino,
      header: { version: '1', code: '', identity: '', definitions: DEFINITIONS },
      writer,
      billing: { catalog: 'lake', schema: copy.schema },
      copy: SETTINGS,
      place,
      now: () => END_OF_RECORDING,
      name: 'the test',
      parallel: 2,
      keep: 2,
      maxSkewMs: 3_600_000,
      onProgress: () => {},
      onFailure: (error) => {
        throw error
      },
    }
  })
  afterAll(() => writer?.close())

  it('has the same held rows as the mirror', async () => {
    const made = await publish(options, STOP)
    const session = await connector.open(replayOpening(await createPublications(writer, place).openingOf(made.id), trino), {
      now: END_OF_RECORDING,
      definitions: DEFINITIONS,
    })
    const { held } = soakedCache(source.executor(), 'lake', null)
    const ofMirror = await held({ now: sqlNow(END_OF_RECORDING), seconds: 0 })
    const tables: Record<string, readonly string[]> = {}
    for (const { relation, columns } of publishedRelations(options))
      tables[relation] = (await copy.run(`select * from ${nameIn(place, tableOf(made.id, 'held', relation))}`))
        .map(linesOf(columns, session.inline.get('plan')))
        .sort()
    const expected = Object.fromEntries(Object.keys(tables).map((relation) => [relation, ofMirror.tables[relation] ?? []]))
    expect(Object.values(tables).flat().length).toBeGreaterThan(10_000)
    expect(heldDifferences(['mirror', expected], ['Trino', tables])).toBeUndefined()
    expect(Object.keys(made.versions)).toEqual(expect.arrayContaining(['accounts', 'tags']))
  })

  it('is the only reader: questions are refused, and check reads the rows of the engine', async () => {
    const over = copiedConnector(connector, { billing: options.billing, copy: SETTINGS })
    const request = { now: END_OF_RECORDING, definitions: DEFINITIONS }
    const open = (opened: typeof connector) => writer.withSnapshot((snapshot) => opened.open(snapshot, request))
    await expect(open(over)).rejects.toMatchObject({ context: { publications_only: true } })
    const findings = await writer.withSnapshot(async (snapshot) => over.check?.(snapshot, request))
    expect(findings?.filter(({ level }) => level === 'failure')).toEqual([])
    expect(findings).toContainEqual(expect.objectContaining({ name: 'lake_copy', level: 'ok' }))
    expect(findings).toContainEqual(
      expect.objectContaining({ name: 'tenants', level: 'ok', message: expect.stringContaining('alpha') }),
    )
  })

  it.each([
    ['fivetran', '_fivetran_deleted', 'id = 2'],
    ['airbyte', '_ab_cdc_deleted_at', "if(id = 2, '2026-01-01T00:00:00Z')"],
    ['debezium', '__deleted', "if(id = 2, 'true', if(id = 1, 'false'))"],
  ] as const)('leaves out what %s has marked', async (tool, mark, cell) => {
    const small = await createTrinoSchema(await server())
    await small.run(`create table tags as select id as record_id, ${cell} as ${mark} from (values 1, 2, 3) as v (id)`)
    const executor = small.executor()
    const rows = await executor.withSnapshot(async (snapshot) => {
      const one = await readCopy(snapshot, { catalog: 'lake', schema: small.schema }, ENGINE, { tool })
      return one
        .over(snapshot, one.selects)
        .query({ text: 'select t.record_id from tags as t order by 1', values: [], label: 'test' })
    })
    expect(rows.map((row) => Number(row['record_id']))).toEqual([1, 3])
    await executor.close()
  })

  it.each([
    ["'2026-03-01 10:20:30.123456'"],
    ["'2026-03-01T10:20:30.123456Z'"],
    ["'2026-03-01T12:20:30.123456+02:00'"],
    ["'2026-03-01 10:20:30.123456+00'"],
    ["'2026-03-01 10:20:30.123456 UTC'"],
    ['1772360430123456'],
    ["timestamp '2026-03-01 12:20:30.123456 +02:00'"],
  ])('reads the instant %s', async (cell) => {
    const small = await createTrinoSchema(await server())
    await small.run(`create table tags as select ${cell} as created_date`)
    const executor = small.executor()
    const rows = await executor.withSnapshot(async (snapshot) => {
      const one = await readCopy(snapshot, { catalog: 'lake', schema: small.schema }, ENGINE)
      return one.over(snapshot, one.selects).query({ text: 'select t.created_date from tags as t', values: [], label: 'test' })
    })
    expect(rows).toEqual([{ created_date: '2026-03-01 10:20:30.123456' }])
    await executor.close()
  })

  it('refuses a type that loses digits, and a log of changes, by name', async () => {
    const plan = () => planPublication(options, STOP)
    await copy.run('alter table invoice_payments rename to invoice_payments_kept')
    await copy.run(
      'create table invoice_payments as select record_id, cast(amount as double) as amount from invoice_payments_kept',
    )
    await expect(plan()).rejects.toMatchObject({ message: expect.stringContaining('invoice_payments.amount is double') })
    await copy.run('drop table invoice_payments')
    await copy.run('alter table invoice_payments_kept rename to invoice_payments')
    await copy.run('insert into topic_tags select * from topic_tags')
    await expect(plan()).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      message: expect.stringContaining('Several rows have the same record_id in tags'),
    })
  })
})
