import { describe, expect, it } from 'vitest'
import { pinTables, tablesOf } from '../../src/cache/lake/pins.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'

const PLACE = { catalog: 'lake', schema: 'billing' }
const MAX_SKEW_MS = 900_000

const tables = (...names: readonly string[]) => names.map((name) => ({ name, source: name, isView: false }))

/** Answers by the label of the statement. */
function trinoWith(answers: (statement: Statement) => readonly Row[]): Snapshot {
  const query: Snapshot['query'] = async (statement) => answers(statement)
  return {
    dialect: trino,
    query,
    async *stream(statement) {
      yield* await query(statement)
    },
  }
}

function iceberg(commits: Readonly<Record<string, string>>, sent: string[] = []) {
  return trinoWith(({ label, text }) => {
    sent.push(text)
    if (label === 'lake.catalog') return [{ connector_name: 'iceberg' }]
    const named = Object.entries(commits).filter(([table]) => text.includes(`"${table}$refs"`))
    return named.map(([table, at], index) => ({ table_name: table, version: `900719925474099${index}`, at }))
  })
}

describe('pins', () => {
  it('fix the snapshot of each table, and end at the oldest of the last commits', async () => {
    const snapshot = iceberg({ accounts: '2026-03-01 11:59:00', invoices: '2026-03-01 11:50:00.123' })
    const pins = await pinTables(snapshot, PLACE, tables('accounts', 'invoices'), MAX_SKEW_MS)
    expect(pins.versions).toEqual({ accounts: '9007199254740990', invoices: '9007199254740991' })
    expect(pins.rows.get('invoices')).toBe('select * from lake.billing.invoices for version as of 9007199254740991')
    expect(pins.data_through).toEqual(new Date('2026-03-01T11:50:00.123Z'))
  })

  it('do not count a table that nothing has changed for a day', async () => {
    const snapshot = iceberg({ accounts: '2026-03-01 11:59:00', tenants: '2020-01-01 00:00:00' })
    const pins = await pinTables(snapshot, PLACE, tables('accounts', 'tenants'), MAX_SKEW_MS)
    expect(pins.data_through).toEqual(new Date('2026-03-01T11:59:00Z'))
    expect(pins.unchanged).toEqual(['tenants'])
    expect(pins.versions['tenants']).toBe('9007199254740991')
  })

  it('are refused if one table is too far behind another', async () => {
    const snapshot = iceberg({ accounts: '2026-03-01 11:59:00', invoices: '2026-03-01 11:43:59' })
    await expect(pinTables(snapshot, PLACE, tables('accounts', 'invoices'), MAX_SKEW_MS)).rejects.toMatchObject({
      code: 'replica_lagging',
      message: expect.stringMatching(/invoices.*accounts.*lake\.max_skew_seconds/),
    })
    const wider = await pinTables(snapshot, PLACE, tables('accounts', 'invoices'), 901_000)
    expect(wider.data_through).toEqual(new Date('2026-03-01T11:43:59Z'))
  })

  it('ask for many tables in few statements', async () => {
    const many = Array.from({ length: 70 }, (_, index) => `t${index}_x`)
    const sent: string[] = []
    const pins = await pinTables(
      iceberg(Object.fromEntries(many.map((table) => [table, '2026-03-01 11:59:00'])), sent),
      PLACE,
      tables(...many),
      MAX_SKEW_MS,
    )
    expect(Object.values(pins.versions).filter((version) => version !== null)).toHaveLength(70)
    expect(sent).toHaveLength(4)
  })

  it('leave a view unpinned, so that nobody knows up to when the rows are complete', async () => {
    const sent: string[] = []
    const view = { name: 'subscription_events', source: 'subscription_events', isView: true }
    const pins = await pinTables(
      iceberg({ accounts: '2026-03-01 11:59:00' }, sent),
      PLACE,
      [...tables('accounts'), view],
      MAX_SKEW_MS,
    )
    expect(pins.versions['subscription_events']).toBeNull()
    expect(pins.rows.get('subscription_events')).toBe('select * from lake.billing.subscription_events')
    expect(sent.join()).not.toContain('subscription_events')
    expect(pins.data_through).toBeNull()
  })

  it('know no instant where tables have no snapshots', async () => {
    const snapshot = trinoWith(() => [{ connector_name: 'postgresql' }])
    const pins = await pinTables(snapshot, PLACE, tables('accounts'), MAX_SKEW_MS)
    expect(pins).toEqual({
      versions: { accounts: null },
      rows: new Map([['accounts', 'select * from lake.billing.accounts']]),
      data_through: null,
      unchanged: [],
    })
  })
})

it('the tables of a schema are those with plain names', async () => {
  const snapshot = trinoWith(() => [
    { table_name: 'accounts', table_type: 'BASE TABLE' },
    { table_name: 'events', table_type: 'VIEW' },
    { table_name: 'odd name', table_type: 'BASE TABLE' },
  ])
  expect(await tablesOf(snapshot, PLACE)).toEqual([
    { name: 'accounts', source: 'accounts', isView: false },
    { name: 'events', source: 'events', isView: true },
  ])
})

describe('tables with other names', () => {
  const named = () =>
    trinoWith(({ label, text }) => {
      if (label === 'lake.catalog') return [{ connector_name: 'iceberg' }]
      if (label === 'lake.pins')
        return text.includes('"topic.accounts$refs"') ? [{ table_name: 'accounts', version: '7', at: '2026-03-01 11:59:00' }] : []
      return ['topic.accounts', 'accounts', 'tags'].map((table_name) => ({ table_name, table_type: 'BASE TABLE' }))
    })

  it('have the name of the engine, and hide a table that has it', async () => {
    expect(await tablesOf(named(), PLACE, { accounts: 'Topic.ACCOUNTS' })).toEqual([
      { name: 'tags', source: 'tags', isView: false },
      { name: 'accounts', source: 'topic.accounts', isView: false },
    ])
  })

  it('are pinned by their own names', async () => {
    const pins = await pinTables(named(), PLACE, [{ name: 'accounts', source: 'topic.accounts', isView: false }], MAX_SKEW_MS)
    expect(pins.versions).toEqual({ accounts: '7' })
    expect(pins.rows.get('accounts')).toBe('select * from lake.billing."topic.accounts" for version as of 7')
  })

  it('are refused by name if Trino has no such table', async () => {
    await expect(tablesOf(named(), PLACE, { accounts: 'topic.konten' })).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      message: expect.stringContaining('lake.tables.accounts: Trino finds no table topic.konten in lake.billing'),
    })
  })
})
