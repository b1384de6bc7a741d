import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { createEngine } from '../../src/engine/engine.ts'
import type { EngineDependencies } from '../../src/execution/dependencies.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import type { IdKind } from '../../src/ports/attribute-store.ts'
import { customerSearch } from '../../src/workspace/attributes/find-customers.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { recording } from '../support/databases/recording-executor.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'

const ACCOUNTS = 20_000
const AT_ONCE = 4_000

const NAMES: Readonly<Record<IdKind, (index: number) => string>> = {
  id: (index) => `id-${index}`,
  external: (index) => `key-${index}`,
  email: (index) => `mail-${index}@x.example`,
}

/** Places in the plan where accounts are read otherwise than by an index on what is asked for. */
async function accountScans(database: TestDatabase, { text, values }: Statement): Promise<readonly string[]> {
  const plan = await database.adminQuery(`explain ${text}`, values)
  if (database.dialect.name === 'postgres') {
    return plan.map((row) => String(Object.values(row)[0])).filter((line) => /Seq Scan on accounts/.test(line))
  }
  // MySQL may choose among the indexes while the statement runs.
  return plan
    .filter((row) => !String(row['Extra']).startsWith('Range checked for each record'))
    .filter((row) => row['table'] === 'account' && !/accounts_(id|external_key|email)|^PRIMARY$/.test(String(row['key'])))
    .map((row) => JSON.stringify(row))
}

describeTargets(
  'look-ups of customers',
  (target) => {
    let database: TestDatabase
    let seen: ReturnType<typeof recording>
    let deps: EngineDependencies
    beforeAll(async () => {
      database = await killbillDatabase(target)
      await insertRows(database, 'tenants', [{ record_id: 1, id: 'T', external_key: 'one', api_key: 'one' }])
      for (let first = 0; first < ACCOUNTS; first += AT_ONCE) {
        const indexes = Array.from({ length: AT_ONCE }, (_, index) => first + index)
        await insertRows(
          database,
          'accounts',
          indexes.map((index) => ({
            record_id: index + 1,
            id: NAMES.id(index),
            external_key: NAMES.external(index),
            email: NAMES.email(index),
            name: 'n',
          })),
        )
      }
      await database.adminQuery(target.name === 'postgres' ? 'analyze accounts' : 'analyze table accounts')
      seen = recording(database.executor())
      const connector = createKillbillConnector({ tenant: [], catalog: [] })
      deps = {
        executor: seen.executor,
        connector,
        registry: builtInRegistry(),
        store: null,
        clock: fixedClock(new Date('2025-01-01T00:00:00Z')),
        definitions: definitionsSchema.parse({ base_currency: 'USD' }),
        limits: { max_rows: 1_000 },
        replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
        catalog: loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] }),
      }
    })

    const statementsSince = (count: number) =>
      seen.statements.slice(count).filter(({ label }) => label.includes('customers_wanted'))

    // With thousands of names PostgreSQL may rightly read a small table whole; MariaDB would read a large one whole too.
    const lengths = target.name === 'postgres' ? [1, 50] : [1, 50, 999, 5_000]
    it.each(['id', 'external', 'email'] as const)('by %s use its index, however many are asked for', async (kind) => {
      const find = await customerSearch(deps)
      for (const length of lengths) {
        const before = seen.statements.length
        const names = Array.from({ length }, (_, index) => NAMES[kind](index * 3))
        expect((await find(names, kind)).size).toBe(length)
        const statements = statementsSince(before)
        expect(statements.length).toBeGreaterThan(0)
        for (const statement of statements) expect(await accountScans(database, statement), `${length} names`).toEqual([])
      }
    })

    it('by a path use the index on the id or on the external key', async () => {
      const engine = createEngine(deps)
      for (const name of [NAMES.id(77), NAMES.external(77)]) {
        const before = seen.statements.length
        expect((await engine.customer(name)).data).toMatchObject({ id: NAMES.id(77), external_key: NAMES.external(77) })
        const [statement] = statementsSince(before)
        if (statement === undefined) throw new Error('nothing looked the customer up')
        expect(await accountScans(database, statement)).toEqual([])
      }
      await expect(engine.customer('KEY-77')).rejects.toMatchObject({ code: 'not_found' })
      await expect(engine.customer('key-77 ')).rejects.toMatchObject({ code: 'not_found' })
      await expect(engine.customer('😀')).rejects.toMatchObject({ code: 'not_found' })
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)
