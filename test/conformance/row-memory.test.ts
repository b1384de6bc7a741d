import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import type { DatabaseConnector, Snapshot } from '../../src/connector-kit/connector.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { readExample } from '../support/data/example-tables.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { createRole, type RestrictedRole } from '../support/databases/restricted-role.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import type { Target, TestDatabase } from '../support/databases/targets.ts'

const NOW = new Date('2024-07-01T12:00:00Z')
const CATALOG_ROW = 900

const priced = (plan: string, price: string): string =>
  catalogXml({ plans: planXml(plan, { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price } }) }) })

async function exampleDatabase(target: Target): Promise<TestDatabase> {
  const database = await killbillDatabase(target)
  for (const [table, rows] of Object.entries(readExample('engine-example').given)) await insertRows(database, table, rows)
  return database
}

everyEngine('what a request knows of Kill Bill', (target) => {
  const isPostgres = target.dialect.name === 'postgres'
  let database: TestDatabase
  let role: RestrictedRole
  let executor: Executor
  let connector: DatabaseConnector
  let asked: string[] = []

  const newConnector = () => createKillbillConnector({ tenant: ['all'], catalog: [] })
  const noted = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    query(statement) {
      asked.push(statement.label.replace(/^killbill\.| .*$/g, ''))
      return snapshot.query(statement)
    },
  })
  /** All that a session says, or how it is refused. */
  const openedBy = async (by: DatabaseConnector, from = executor, definitions: object = {}): Promise<unknown> => {
    const request = { now: NOW, definitions: definitionsSchema.parse({ base_currency: 'USD', ...definitions }) }
    try {
      return await from.withSnapshot(async (snapshot) => {
        const { sources, params, inline, aliases, currencies, rates_withheld, prices_in_doubt } = await by.open(
          noted(snapshot),
          request,
        )
        const relations = [...inline].map(([name, { rows }]) => [name, rows])
        return { sources, params, relations, aliases: [...aliases], currencies, rates_withheld, prices_in_doubt }
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { code: error.code, message: error.message, context: error.context }
    }
  }
  const run = async (...statements: readonly string[]) => {
    for (const statement of statements) await database.adminQuery(statement)
  }

  beforeAll(async () => {
    database = await exampleDatabase(target)
    role = await createRole(database)
    executor = database.executor({ url: role.url })
    connector = newConnector()
  })
  afterAll(async () => {
    await executor?.close()
    await role?.drop()
  })

  it('takes two statements as long as nothing changes, with test accounts and without', async () => {
    const counts: number[] = []
    const answers: unknown[] = []
    for (const test_accounts of ['exclude', 'include', 'exclude', 'include', 'exclude'] as const) {
      asked = []
      answers.push(await openedBy(connector, executor, { test_accounts }))
      counts.push(asked.length)
    }
    asked = []
    const fresh = await openedBy(newConnector())
    expect(asked).toEqual(['columns', 'tenants', 'catalog.rows', 'override.plans', 'override.phases', 'accounts'])
    // The first one reads the texts of the catalogs too.
    expect(counts.slice(1)).toEqual([asked.length, 2, 2, 2])
    expect(answers[4]).toEqual(fresh)
  })

  const override = 'catalog_override_phase_definition'
  const revoke = (table: string) => `revoke select on ${table} from ${role.grantee}`
  const grant = (table: string) => `grant select on ${table} to ${role.grantee}`
  const insert = (table: string, row: object) => async () => {
    await insertRows(database, table, [{ ...row }])
  }
  const sql =
    (...statements: readonly string[]) =>
    () =>
      run(...statements)

  it.each<[string, () => Promise<void>]>([
    ['a tenant is added', insert('tenants', { record_id: 70, external_key: 'late', api_key: 'late' })],
    ['a catalog is uploaded', insert('tenant_kvs', { record_id: CATALOG_ROW, tenant_value: priced('late', '5') })],
    [
      'a catalog is rewritten in place',
      sql(`update tenant_kvs set tenant_value = '${priced('late', '6')}' where record_id = ${CATALOG_ROW}`),
    ],
    ['a catalog is switched off in place', sql(`update tenant_kvs set is_active = false where record_id = ${CATALOG_ROW}`)],
    ['a catalog is deleted', sql(`delete from tenant_kvs where record_id = ${CATALOG_ROW}`)],
    ['the price of an override changes', sql(`update ${override} set recurring_price = recurring_price + 1`)],
    ['an account gets another currency', sql("update accounts set currency = 'CHF'")],
    ['a tenant gets another key', sql("update tenants set external_key = 'renamed' where record_id = 70")],
    ['a column is dropped that only some versions have', sql('alter table subscription_events drop column quantity')],
    ['the column comes back', sql('alter table subscription_events add column quantity integer')],
    ['a needed column is dropped', sql('alter table invoice_items drop column phase_name')],
    ['the needed column comes back', sql('alter table invoice_items add column phase_name varchar(255)')],
    ['a grant is revoked', async () => run(revoke('tags'))],
    ['the grant comes back', async () => run(grant('tags'))],
    ['a grant is revoked on a table that the session reads', async () => run(revoke('tenant_kvs'))],
    ['that grant comes back', async () => run(grant('tenant_kvs'))],
    ...(isPostgres
      ? ([
          ['policies hide rows', sql('alter table accounts enable row level security')],
          ['no policy hides rows', sql('alter table accounts disable row level security')],
        ] satisfies [string, () => Promise<void>][])
      : []),
  ])('shows at once that %s', async (_, change) => {
    const before = await openedBy(connector)
    expect(await openedBy(connector)).toEqual(before)
    await change()
    const after = await openedBy(connector)
    expect(after).toEqual(await openedBy(newConnector()))
    expect(after).not.toEqual(before)
    expect(await openedBy(connector)).toEqual(after)
  })

  it('shows another database behind the same address', async () => {
    const other = await exampleDatabase(target)
    await other.adminQuery("update tenants set external_key = 'elsewhere' where record_id = 1")
    const there = other.executor()
    const here = await openedBy(connector)
    const elsewhere = await openedBy(connector, there)
    expect(elsewhere).toEqual(await openedBy(newConnector(), there))
    expect(elsewhere).not.toEqual(here)
    expect(await openedBy(connector)).toEqual(here)
    await there.close()
  })
})
