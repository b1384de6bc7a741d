import { describe, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { apartFrom } from '../../src/app/compose-databases.ts'
import { type LakeDatabase, snapshotOf } from '../../src/cache/lake/databases/database.ts'
import { openParts, type Part, unitedTables, uniteOpened } from '../../src/cache/lake/databases/publish-parts.ts'
import { severalDatabases } from '../../src/cache/lake/databases/several.ts'
import { KEYS_OF_A_DATABASE, keyFaults, ownKey, uniqueCells, uniqueRows } from '../../src/cache/lake/databases/unique-keys.ts'
import { uniteSessions, uniteSources } from '../../src/cache/lake/databases/united-session.ts'
import type { Opened } from '../../src/cache/lake/open-tables.ts'
import { recordOpening, replayOpening } from '../../src/cache/lake/opening.ts'
import type { PublishOptions } from '../../src/cache/lake/publish.ts'
import type { PublishedTables } from '../../src/cache/lake/steps-as-tables.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import { literalText } from '../../src/compiler/literal.ts'
import type { DatabaseConnector } from '../../src/connector-kit/connector.ts'
import type { KeyType } from '../../src/connector-kit/mirror-source.ts'
import { statementOf } from '../../src/connector-kit/query-runner.ts'
import { AppError, ConfigurationError } from '../../src/core/errors.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { ConnectorSession } from '../../src/ports/session.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import { RELATION_CONTRACTS } from '../../src/relations/contracts.ts'
import { inlineColumns } from '../../src/relations/define-relation.ts'

const KILLBILL = createKillbillConnector({ tenant: ['all'], catalog: [] })

function database(name: string, number: number, connector: DatabaseConnector = KILLBILL): LakeDatabase {
  return { name, number, place: { catalog: 'lake', schema: `billing_${name}` }, connector }
}

const EU = database('eu', 0)
const US = database('us', 1)
const BOTH = [EU, US]

function heldTable(relation: string, keyType: KeyType = 'integer') {
  const contract = RELATION_CONTRACTS.find(({ name }) => name === relation)
  if (contract === undefined) throw new Error(`no relation ${relation}`)
  return { relation, table: '', columns: inlineColumns(contract, keyType) }
}

function session(given: Partial<ConnectorSession> = {}): ConnectorSession {
  return {
    sources: [],
    params: {},
    inline: new Map(),
    aliases: new Map(),
    currencies: [],
    rates: () => Promise.resolve([]),
    ...given,
  }
}

/** A snapshot that answers by the schema and the text of a statement. */
function snapshot(answer: (schema: string | undefined, text: string) => readonly Row[] = () => []): Snapshot {
  const query: Snapshot['query'] = async ({ place, text }) => answer(place?.schema, text)
  return {
    dialect: trino,
    query,
    async *stream(statement) {
      yield* await query(statement)
    },
  }
}

const cellsOf = (relation: string, of: LakeDatabase, keyType: KeyType) =>
  literalText(statementOf(uniqueCells(heldTable(relation, keyType), of, keyType), trino, 'test'), 'trino')

describe('keys that no other database has', () => {
  it('are whole numbers with the number of the database times 10^12', () => {
    const text = cellsOf('usage_charge', US, 'integer')
    expect(text).toContain('customer_key + 1000000000000 as customer_key')
    expect(text).toContain('charge_id + 1000000000000 as charge_id')
    expect(text).toContain(', subscription_id, plan, currency')
    expect(cellsOf('usage_charge', EU, 'integer')).toContain('customer_key + 0 as customer_key')
  })

  it('are texts with the name of the database in front', () => {
    const text = cellsOf('movement', US, 'text')
    expect(text).toMatch(/concat\(cast\('us\/' as varchar\), cast\(customer_key as varchar\)\) as customer_key/)
    expect(text).toMatch(/concat\(cast\('us\/' as varchar\), cast\(plan_key as varchar\)\) as plan_key/)
    expect(text).not.toContain('1000000000000')
  })

  it.each(['integer', 'text'] as const)('so are the texts that sources share, with %s keys', (keyType) => {
    expect(cellsOf('customer_link', US, keyType)).toMatch(
      /concat\(cast\('us\/' as varchar\), cast\(link_key as varchar\)\) as link_key/,
    )
    expect(cellsOf('bundle_line', US, keyType)).toMatch(
      /concat\(cast\('us\/' as varchar\), cast\(bundle_line as varchar\)\) as bundle_line/,
    )
    expect(cellsOf('subscription', US, keyType)).toContain(', bundle_line,')
  })

  it('cover every key of every held relation', () => {
    for (const { name, is_held, columns } of RELATION_CONTRACTS) {
      if (is_held !== true) continue
      const text = cellsOf(name, US, 'integer')
      for (const column of columns)
        expect([name, text.includes(`${column.name} + 1000000000000`)]).toEqual([name, column.type === 'key'])
    }
  })

  it('are in the rows that the process has, and null stays null', () => {
    const plan = {
      name: 'plan',
      columns: [
        { name: 'plan_key', type: 'integer' as const },
        { name: 'plan_id', type: 'text' as const },
      ],
      rows: [
        [1, 'gold'],
        [2, null],
      ],
    }
    expect(uniqueRows(plan, US, 'integer')).toEqual([
      [KEYS_OF_A_DATABASE + 1, 'gold'],
      [KEYS_OF_A_DATABASE + 2, null],
    ])
    expect(uniqueRows(plan, EU, 'integer')).toEqual(plan.rows)
  })

  it('give the key of their own database again', () => {
    expect([ownKey('1000000000007', US, 'integer'), ownKey('7', US, 'integer'), ownKey('7', EU, 'integer')]).toEqual([
      '7',
      undefined,
      '7',
    ])
    expect([ownKey('1000000000007', EU, 'integer'), ownKey('0b5e', US, 'integer')]).toEqual([undefined, undefined])
    expect([ownKey('us/7', US, 'text'), ownKey('us/7', EU, 'text'), ownKey('us-2/7', US, 'text')]).toEqual([
      '7',
      undefined,
      undefined,
    ])
  })

  it('need room: a key of 40 bits or more is named', async () => {
    const asked: string[] = []
    const answering = snapshot((_schema, text) => {
      asked.push(text)
      return [
        { relation: 'movement', key_column: 'customer_key', entries: '0' },
        { relation: 'movement', key_column: 'plan_key', entries: '3' },
      ]
    })
    const tables = {
      place: { catalog: 'lake', schema: 'plumbline' },
      held: [heldTable('movement')],
      tableFor: (relation: string) => `p1_00ff_1_held_${relation}`,
    }
    const faults = await keyFaults(answering, US, { ...tables, keyType: 'integer' })
    expect(faults).toEqual([expect.stringMatching(/^us: 3 values of plan_key in movement are not between 0 and 10\^12/)])
    expect(asked[0]).toContain('from lake.plumbline.p1_00ff_1_held_movement where customer_key not between 0 and 999999999999')
    expect(await keyFaults(snapshot(), US, { ...tables, keyType: 'text' })).toEqual([])
  })
})

it('held tables are created from the first database, and get the rows of each further one', () => {
  const tables: PublishedTables = {
    id: 'p1_00ff',
    place: { catalog: 'lake', schema: 'plumbline' },
    dialect: trino,
    keyType: 'integer',
    held: [heldTable('movement')],
  }
  const parts = BOTH.map((one): Part => ({ id: `p1_00ff_${one.number}`, options: {} as PublishOptions, database: one }))
  const [made = []] = unitedTables(parts, tables, 12_000_000)
  expect(made.map(({ table }) => table)).toEqual(['p1_00ff_held_movement', 'p1_00ff_held_movement'])
  expect(made[0]?.statement.text).toMatch(
    /create table lake\.plumbline\.p1_00ff_held_movement with \(partitioning = array\['bucket\(customer_key, 3\)'\]\) as select cast\(/,
  )
  expect(made[0]?.statement.text).toContain('from lake.plumbline.p1_00ff_0_held_movement')
  expect(made[1]?.statement.text).toMatch(
    /insert into lake\.plumbline\.p1_00ff_held_movement \(occurred_at, movement_type, .*\) select cast\(/,
  )
  expect(made[1]?.statement.text).toContain('from lake.plumbline.p1_00ff_1_held_movement')
})

describe('the session of several databases', () => {
  const source = (source_id: string, name: string) => ({ source_id, external_key: name, name })
  const names = (...parts: readonly (readonly string[])[]) =>
    uniteSources(
      parts.map((_, index) => ({ name: ['eu', 'us', 'jp'][index] ?? '' })),
      parts.map((part, index) => ({ sources: part.map((name) => source(`${index} ${name}`, name)) })),
    ).map(({ name }) => name)

  it('keeps the names of tenants, and puts the database before those that several have', () => {
    expect(names(['acme', 'bolt'], ['core'])).toEqual(['acme', 'bolt', 'core'])
    expect(names(['acme', 'bolt'], ['acme'], ['core'])).toEqual(['eu/acme', 'bolt', 'us/acme', 'core'])
    // A tenant may have the name that another one would get.
    expect(names(['acme', 'us/acme'], ['acme'])).toEqual(['eu/acme', 'eu/us/acme', 'us/acme'])
  })

  it('refuses a tenant that two databases have', () => {
    const twice = () => uniteSources(BOTH, [{ sources: [source('a', 'acme')] }, { sources: [source('a', 'acme')] }])
    expect(twice).toThrow(
      expect.objectContaining({ problems: [expect.stringMatching(/"eu" and "us" have the same tenant acme \(a\)/)] }),
    )
  })

  it('unites currencies, plans, rates and doubts', async () => {
    const plan = (...ids: readonly string[]) => ({
      name: 'plan',
      columns: inlineColumns(RELATION_CONTRACTS.find(({ name }) => name === 'plan') ?? { columns: [] }, 'integer').slice(0, 2),
      rows: ids.map((id, index) => [index + 1, id]),
    })
    const rate = (date: string, value: string) => ({ from: 'EUR', to: 'USD', date, rate: value })
    const united = uniteSessions(
      BOTH,
      [
        session({
          currencies: ['EUR', 'USD'],
          one_currency_each: true,
          params: { usage_in_mrr: false, tenants: [1], cancel_reason_field: 'why' },
          inline: new Map([['plan', plan('gold', 'silver')]]),
          rates: async () => [rate('2026-01-01', '1.0'), rate('2026-01-01', '1.1')],
          zones_unknown: { zones: ['Mars'], reads: ['trial'] },
          inferred_parts: [{ name: 'history' }, { name: 'ends', count: 2 }],
          incomplete: { message: 'Lists are cut.', count: 4 },
        }),
        session({
          currencies: ['CHF', 'USD'],
          one_currency_each: true,
          params: { usage_in_mrr: true, tenants: [2], cancel_reason_field: 'why' },
          inline: new Map([
            ['plan', plan('gold')],
            ['price', { ...plan('gold'), name: 'price' }],
          ]),
          rates: async () => [rate('2026-01-01', '9'), rate('2026-01-02', '1.2')],
          prices_in_doubt: 'Prices may differ.',
          inferred_parts: [{ name: 'ends', count: 3 }],
          priceFlaw: (id) => (id === 'gold' ? 'has no price' : undefined),
        }),
      ],
      'integer',
    )
    expect(united.currencies).toEqual(['CHF', 'EUR', 'USD'])
    expect(united.one_currency_each).toBe(true)
    expect(united.params).toEqual({ usage_in_mrr: true, cancel_reason_field: 'why' })
    expect([...united.inline.keys()]).toEqual(['plan'])
    expect(united.inline.get('plan')?.rows).toEqual([
      [1, 'gold'],
      [2, 'silver'],
      [KEYS_OF_A_DATABASE + 1, 'gold'],
    ])
    expect(await united.rates('USD')).toEqual([rate('2026-01-01', '1.1'), rate('2026-01-02', '1.2')])
    expect([united.prices_in_doubt, united.priceFlaw?.('gold', 'USD')]).toEqual(['us: Prices may differ.', 'has no price'])
    expect(united.inferred_parts).toEqual([{ name: 'history' }, { name: 'ends', count: 5 }])
    expect(united.incomplete).toEqual({ message: 'eu: Lists are cut.', count: 4 })
    expect(united.zones_unknown).toEqual({ zones: ['Mars'], reads: ['trial'] })
    expect(uniteSessions(BOTH, [session({ one_currency_each: true }), session()], 'integer').one_currency_each).toBeUndefined()
  })
})

const reading = (given: Partial<DatabaseConnector> = {}): DatabaseConnector => ({
  ...KILLBILL,
  open: async (opened) => {
    const [row] = await opened.query({ text: 'select id from tenants', values: [], label: 'test' })
    const name = String(row?.['id'])
    return session({ sources: [{ source_id: name, external_key: name, name }] })
  },
  ...given,
})

describe('the connector of several databases', () => {
  /** A connector that reads the name of its tenant. */
  const databases = [database('eu', 0, reading()), database('us', 1, reading())]
  const request = { now: new Date(0), definitions: {} as Parameters<DatabaseConnector['open']>[1]['definitions'] }
  const tenants = snapshot((schema) => [{ id: schema ?? 'nowhere' }])

  it('names the database that cannot be opened', async () => {
    const refused = (error: Error) =>
      severalDatabases([database('eu', 0, reading()), database('us', 1, reading({ open: () => Promise.reject(error) }))])
    const open = (error: Error) => refused(error).open(tenants, request)
    await expect(open(new ConfigurationError(['connector.tenant must name one of the tenants "a", "b"']))).rejects.toMatchObject({
      problems: ['lake.databases "us": tenant must name one of the tenants "a", "b"'],
    })
    await expect(open(new AppError('replica_lagging', 'The copy ends.', { context: { missing: ['x'] } }))).rejects.toMatchObject({
      code: 'replica_lagging',
      message: 'lake.databases "us": The copy ends.',
      context: { missing: ['x'] },
    })
  })

  it('opens each in its own schema, and opens again from a record', async () => {
    const connector = severalDatabases(databases)
    const recording = recordOpening(tenants)
    const opened = await connector.open(recording.snapshot, request)
    expect(opened.sources.map(({ name }) => name)).toEqual(['billing_eu', 'billing_us'])
    const replayed = await connector.open(replayOpening(recording.opening(), trino), request)
    expect(replayed.sources).toEqual(opened.sources)
  })

  it('finds the evidence of a row in its database, by the key that it has there', async () => {
    const asked: unknown[] = []
    const evidence: DatabaseConnector['evidence'] = async (opened, _session, subjects) => {
      const [row] = await opened.query({ text: 'select id from tenants', values: [], label: 'test' })
      asked.push([row?.['id'], subjects.map(({ document_id, usage }) => [document_id, usage.map(({ charge_id }) => charge_id)])])
      return subjects.map(({ document_id }) => [
        { table: `${row?.['id']}`, record_id: Number(document_id), id: null, occurred_at: null, note: '' },
      ])
    }
    const connector = severalDatabases([database('eu', 0, reading({ evidence })), database('us', 1, reading({ evidence }))])
    const subject = {
      customer_id: 'c',
      subscription_id: 's',
      at: null,
      swap_minutes: 0,
      cancel_reason: null,
      currency: null,
      rate: null,
      rate_day: null,
    }
    const usage = [{ charge_id: '1000000000008', paid_at: '', counts: '' }]
    const found = await connector.evidence?.(tenants, await connector.open(tenants, request), [
      { ...subject, document_id: '1000000000007', usage: [] },
      { ...subject, document_id: '5', usage: [] },
      { ...subject, document_id: null, usage },
    ])
    expect(asked).toEqual([
      [
        'billing_eu',
        [
          ['5', []],
          [null, []],
        ],
      ],
      [
        'billing_us',
        [
          ['7', []],
          [null, ['8']],
        ],
      ],
    ])
    expect(found?.slice(0, 2).map((list) => list.map(({ table, record_id }) => [table, record_id]))).toEqual([
      [['billing_us', 7]],
      [['billing_eu', 5]],
    ])
  })

  it('names the database of each finding', async () => {
    const check: DatabaseConnector['check'] = async () => [{ name: 'schema', level: 'ok', message: 'is right' }]
    const connector = severalDatabases([database('eu', 0, reading({ check })), database('us', 1, reading({ check }))])
    expect((await connector.check?.(tenants, request))?.map(({ message }) => message)).toEqual(['eu: is right', 'us: is right'])
  })

  it('has links if all databases have the same ones', () => {
    const links = (base: string) => reading({ customerUrl: (id) => `${base}/${id}` })
    const both = (first: string, second: string) =>
      severalDatabases([database('eu', 0, links(first)), database('us', 1, links(second))]).customerUrl?.('c')
    expect([both('https://a', 'https://a'), both('https://a', 'https://b')]).toEqual(['https://a/c', undefined])
  })
})

describe('the tables of several databases', () => {
  const opened = (now: string, data_through = now): Opened => ({
    now: new Date(now),
    pins: { rows: new Map(), versions: { accounts: '7' }, data_through: new Date(data_through), unchanged: [] },
    session: session(),
    digest: '',
    opening: {
      reads: [
        { text: 'select 1', values: [], rows: [{ one: 1 }] },
        { text: 'select id from tenants', values: [], rows: [{ id: `${++tenant}` }] },
      ],
    },
    raw: [],
  })
  let tenant = 0
  const both = severalDatabases(BOTH.map((one) => ({ ...one, connector: reading() })))
  const options = { now: () => new Date('2026-01-03T00:00:00Z'), connector: both, dialect: trino } as PublishOptions
  const parts = BOTH.map((one): Part => ({ id: `p1_00ff_${one.number}`, options, database: one }))

  it('are opened for the earliest instant up to which all are complete', async () => {
    const asked: string[] = []
    const at: Record<string, string> = { billing_eu: '2026-01-02T00:00:00Z', billing_us: '2026-01-01T12:00:00Z' }
    const found = await openParts(
      parts,
      snapshot((schema) => [{ schema: schema ?? '' }]),
      async (given, { now }) => {
        const [row] = await given.query({ text: '', values: [], label: '' })
        const schema = String(row?.['schema'])
        asked.push(`${schema} ${now().toISOString().slice(0, 10)}`)
        const through = new Date(at[schema] ?? '')
        return opened((through < now() ? through : now()).toISOString(), through.toISOString())
      },
    )
    expect(asked).toEqual(['billing_eu 2026-01-03', 'billing_us 2026-01-03', 'billing_eu 2026-01-01'])
    expect(found.map(({ now }) => now.toISOString())).toEqual(['2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00.000Z'])
    expect((await uniteOpened(options, parts, found)).pins.data_through).toEqual(new Date('2026-01-01T12:00:00Z'))
  })

  it('are not held back by a database in which nothing was committed for a day', async () => {
    const asked: unknown[] = []
    const at: Record<string, string> = { billing_eu: '2025-12-30T00:00:00Z', billing_us: '2026-01-02T00:00:00Z' }
    const found = await openParts(
      parts,
      snapshot((schema) => [{ schema: schema ?? '' }]),
      async (given, { now, isUnchanged }) => {
        const [row] = await given.query({ text: '', values: [], label: '' })
        const schema = String(row?.['schema'])
        const through = at[schema] ?? ''
        asked.push([schema, now().toISOString().slice(0, 10), isUnchanged])
        return opened(isUnchanged === true ? now().toISOString() : through, through)
      },
    )
    expect(asked).toEqual([
      ['billing_eu', '2026-01-03', undefined],
      ['billing_us', '2026-01-03', undefined],
      ['billing_eu', '2026-01-02', true],
    ])
    const { now, pins, ends } = await uniteOpened(options, parts, found)
    expect([now, pins.data_through]).toEqual([new Date('2026-01-02T00:00:00Z'), new Date('2026-01-02T00:00:00Z')])
    expect(ends?.map(({ through }) => through?.toISOString().slice(0, 10))).toEqual(['2025-12-30', '2026-01-02'])
  })

  it('are opened again to record the rates into the currencies of the others', async () => {
    const asked: unknown[] = []
    await openParts(
      parts,
      snapshot((schema) => [{ schema: schema ?? '' }]),
      async (given, { currencies = [] }) => {
        const [row] = await given.query({ text: '', values: [], label: '' })
        asked.push([row?.['schema'], currencies])
        return {
          ...opened('2026-01-01T00:00:00Z'),
          session: session({ currencies: row?.['schema'] === 'billing_eu' ? ['EUR', 'USD'] : ['USD'] }),
        }
      },
    )
    expect(asked).toEqual([
      ['billing_eu', []],
      ['billing_us', []],
      ['billing_us', ['EUR', 'USD']],
    ])
  })

  it('have their versions and openings by database', async () => {
    const united = await uniteOpened(options, parts, [opened('2026-01-01T00:00:00Z'), opened('2026-01-01T00:00:00Z')])
    expect(united.pins.versions).toEqual({ 'eu/accounts': '7', 'us/accounts': '7' })
    expect(united.ends?.map(({ name }) => name)).toEqual(['eu', 'us'])
    const replayed = replayOpening(united.opening, trino)
    const statement = { text: 'select 1', values: [], label: 'test' }
    expect(await snapshotOf(replayed, US).query(statement)).toEqual([{ one: 1 }])
    await expect(replayed.query(statement)).rejects.toThrow('is no part of the opening')
  })
})

it('a statement that names no database is refused', async () => {
  const executor = apartFrom(
    {
      withSnapshot: (work: (given: Snapshot) => Promise<unknown>) => work(snapshot((schema) => [{ schema: schema ?? '' }])),
    } as Executor,
    BOTH,
  )
  const statement = { text: 'select 1', values: [], label: 'test' }
  await expect(executor.withSnapshot((given) => given.query(statement))).rejects.toMatchObject({
    code: 'unsupported_by_connector',
    message: expect.stringContaining('lake.databases'),
  })
  expect(await executor.withSnapshot((given) => snapshotOf(given, US).query(statement))).toEqual([{ schema: 'billing_us' }])
})
