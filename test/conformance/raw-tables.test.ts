import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { OF_LEDGER, PAYMENT_HISTORY } from '../../connectors/killbill/optional-columns.ts'
import { rawTables } from '../../connectors/killbill/raw-tables.ts'
import { REQUIRED_COLUMNS } from '../../connectors/killbill/required-schema.ts'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import type { ConnectorSession } from '../../src/connector-kit/connector.ts'
import type { Customers, RawTable } from '../../src/connector-kit/mirror-source.ts'
import { createQueryRunner } from '../../src/connector-kit/query-runner.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { RELATION_CONTRACTS } from '../../src/relations/contracts.ts'
import { type Filled, fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { readSchema } from '../support/data/killbill/killbill-fixture.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { columnsRead } from '../support/product/columns-read.ts'

const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })
const catalog = loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] })

const OLDER: ReadonlyMap<string, string> = new Map([
  ['kb_event', 'kb_event_022'],
  ['kb_planned_quantity', 'kb_planned_quantity_022'],
  ['kb_payment', 'kb_payment_022'],
  ['kb_ledger_payment', 'kb_ledger_payment_022'],
  ['kb_ledger_instant', 'kb_ledger_instant_022'],
])

function sessionOf(aliases: ConnectorSession['aliases'], tenants: readonly number[] = [1, 2]): ConnectorSession {
  const params = { tenants, cancel_reason_field: 'cancel_reason' }
  return { sources: [], params, inline: new Map(), aliases, currencies: [], rates: async () => [] }
}

/** The relations that a mirror fills, and everything that they read, by the names of their files. */
function filesOfMirror(aliases: ReadonlyMap<string, string>): ReadonlySet<string> {
  const held = RELATION_CONTRACTS.filter(({ is_held }) => is_held === true).map(({ name }) => name)
  const files = new Set<string>()
  const visit = (name: string): void => {
    const file = aliases.get(name) ?? name
    const template = catalog.relation(file, 'duckdb')
    if (template === undefined || files.has(file)) return
    files.add(file)
    template.header.reads.forEach(visit)
  }
  for (const name of [...held, 'change_instant']) visit(name)
  return files
}

describe.each([
  ['0.24', new Map<string, string>(), [] as string[]],
  ['0.22', OLDER, ['invoice_payments.success']],
])('the raw tables of Kill Bill %s', (_version, aliases, added) => {
  it('are exactly the columns that the relations of the mirror read', () => {
    const known = new Set([
      ...Object.entries(readSchema().tables).flatMap(([table, { columns }]) => columns.map(({ name }) => `${table}.${name}`)),
      ...added,
    ])
    const templates = [...filesOfMirror(aliases)].flatMap((name) => catalog.relation(name, 'duckdb') ?? [])
    const read = new Set(templates.flatMap(columnsRead).filter((column) => known.has(column)))
    const raw = rawTables(sessionOf(aliases)).flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    expect([...raw].sort()).toEqual([...read].sort())
  })
})

it('the raw tables need only required columns, and those that some versions have', () => {
  const needed = rawTables(sessionOf(new Map())).flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
  const required = Object.entries(REQUIRED_COLUMNS).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))
  const ofLedger = [OF_LEDGER, PAYMENT_HISTORY].flatMap((tables) =>
    Object.entries(tables).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
  )
  const ofSome = ['subscription_events.quantity', 'invoice_payments.status', ...ofLedger]
  expect(needed.filter((column) => !required.includes(column)).sort()).toEqual(ofSome.sort())
})

it('decimals have the precision of the recorded schema', () => {
  for (const { name, columns } of rawTables(sessionOf(new Map()))) {
    for (const { name: column, type } of columns) {
      const stored = readSchema().tables[name]?.columns.find((candidate) => candidate.name === column)?.type ?? ''
      const expected =
        typeof type === 'string'
          ? { text: /^varchar/, integer: /^(bigint|integer)$/, boolean: /^boolean$/, timestamp: /^datetime$/, date: /^date$/ }[
              type
            ]
          : new RegExp(`^decimal\\(${type.precision},${type.scale}\\)$`)
      expect(stored, `${name}.${column}`).toMatch(expected)
    }
  }
})

/** The rows of each table as texts, in the order of their texts. */
async function readAll(
  database: TestDatabase,
  tables: readonly RawTable[],
  customers: Customers,
): Promise<ReadonlyMap<string, readonly string[]>> {
  return database.executor().withSnapshot(async (snapshot) => {
    const run = createQueryRunner(snapshot)
    const read = new Map<string, readonly string[]>()
    for (const table of tables) {
      const rows = await run('test', table.select(customers))
      read.set(table.name, rows.map((row) => JSON.stringify(Object.values(row))).sort())
    }
    return read
  })
}

/** Tables whose rows belong to nobody, and links, which belong to two customers. */
const NOT_DIVIDED = ['tenants', 'tag_definitions', 'invoice_parent_children']

describeTargets('raw rows', (target) => {
  const checkParts = async (database: TestDatabase, tables: readonly RawTable[], keys: readonly number[]) => {
    const middle = Math.floor(keys.length / 2)
    const [first = 0, center = 0, last = 0] = [keys[0], keys[middle], keys.at(-1)]
    const parts: readonly Customers[] = [
      { keys: [], range: { from: String(first), through: String(center - 1) } },
      { keys: [String(last)], range: { from: String(center), through: String(last - 1) } },
    ]
    const all = await readAll(database, tables, 'all')
    const [lower, upper] = [
      await readAll(database, tables, parts[0] ?? 'all'),
      await readAll(database, tables, parts[1] ?? 'all'),
    ]
    for (const { name } of tables) {
      const [whole = [], own = [], others = []] = [all.get(name), lower.get(name), upper.get(name)]
      if (NOT_DIVIDED.includes(name)) expect([...new Set([...own, ...others])].sort(), name).toEqual(whole)
      else expect([...own, ...others].sort(), name).toEqual(whole)
    }
    return all
  }

  it('of two sets of customers are together the rows of all', async () => {
    const database = await sharedReal(target)
    const [tenants, accounts] = [
      await database.adminQuery('select record_id from tenants where record_id > 0 order by record_id'),
      await database.adminQuery('select record_id from accounts order by record_id'),
    ]
    const tables = rawTables(
      sessionOf(
        new Map(),
        tenants.map((row) => Number(row['record_id'])),
      ),
    )
    const all = await checkParts(
      database,
      tables,
      accounts.map((row) => Number(row['record_id'])),
    )
    const empty = tables.filter(({ name }) => all.get(name)?.length === 0).map(({ name }) => name)
    expect(empty.sort()).toEqual(['invoice_history', 'invoice_parent_children', 'invoice_payment_history'])
    expect(all.get('audit_log')?.length).toBeLessThan(1_000)
  })

  it('of a customer include events that have the account of a later owner, and links of both ends', async () => {
    const filled: Filled = await fillDatabase(target, generatedHistory(HISTORIES.relations[0], 20))
    const { database, tables } = filled
    const [first, second] = tables('accounts').filter((row) => row['tenant_record_id'] === 1)
    const subscription = tables('subscriptions').find((row) => row['account_record_id'] === first?.['record_id'])
    const [one, other] = [first, second].map((owner) => String(owner?.['record_id']))
    await filled.add('subscription_events', [
      {
        subscription_id: String(subscription?.['id']),
        event_type: 'API_USER',
        user_type: 'CANCEL',
        effective_date: '2025-01-01 01:02:03',
        is_active: true,
        tenant_record_id: 1,
        account_record_id: Number(other),
      },
    ])
    const invoice = {
      account_id: 'of-nobody',
      currency: 'USD',
      status: 'COMMITTED',
      created_date: '2025-01-01 00:00:00',
      tenant_record_id: 1,
    }
    await filled.add('invoices', [
      { ...invoice, id: 'of-child', account_record_id: Number(one) },
      { ...invoice, id: 'of-parent', parent_invoice: true, account_record_id: Number(other) },
    ])
    const link = {
      parent_invoice_id: 'of-parent',
      child_invoice_id: 'of-child',
      child_account_id: 'of-nobody',
      tenant_record_id: 1,
    }
    await filled.add('invoice_parent_children', [{ ...link, account_record_id: Number(other) }])
    const raw = rawTables(sessionOf(new Map()))
    const accounts = tables('accounts').map((row) => Number(row['record_id']))
    await checkParts(database, raw, accounts)
    const ofFirst = await readAll(database, raw, { keys: [String(one)] })
    const ofSecond = await readAll(database, raw, { keys: [String(other)] })
    expect(ofFirst.get('subscription_events')?.filter((row) => row.includes('2025-01-01 01:02:03'))).toHaveLength(1)
    expect(ofSecond.get('subscription_events')?.filter((row) => row.includes('2025-01-01 01:02:03'))).toHaveLength(0)
    expect(ofFirst.get('invoice_parent_children')).toHaveLength(1)
    expect(ofSecond.get('invoice_parent_children')).toEqual(ofFirst.get('invoice_parent_children'))
    expect(ofFirst.get('tenants')).toHaveLength(2)
  })
})
