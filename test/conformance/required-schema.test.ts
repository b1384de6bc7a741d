import { describe, expect, it } from 'vitest'
import { createLook } from '../../connectors/killbill/changes/look.ts'
import { judgeSchema, REQUIRED_COLUMNS } from '../../connectors/killbill/required-schema.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { filterableFields, groupableFields, paramsForDays } from '../../src/query/inputs.ts'
import { readSchema } from '../support/data/killbill/killbill-fixture.ts'
import type { KillbillSchema } from '../support/data/killbill/killbill-schema.ts'
import { createKillbillSchema } from '../support/data/killbill/load-killbill.ts'
import { isInTurn, sampleOf } from '../support/databases/rotation.ts'
import { describeTargets, isFirst, type TestDatabase } from '../support/databases/targets.ts'
import { MAIN_METRICS } from '../support/product/billing-metrics.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { NONE_HELD } from '../support/product/held-rows.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Columns = Readonly<Record<string, readonly string[]>>

/** Columns that only some versions of the engine have, and that are read where they are. */
const VERSIONS: Readonly<Record<string, Columns>> = {
  '0.24': { subscription_events: ['quantity'], invoice_payments: ['status'] },
  '0.22': { invoice_payments: ['success'] },
}

const RANGE = { start: '2026-01-01', end: '2026-02-28' }

/** The engine's tables with the required columns and those of a version, nothing else. */
function requiredSchema(version: Columns): KillbillSchema {
  const { tables, ...rest } = readSchema()
  const kept = Object.entries(REQUIRED_COLUMNS).map(([name, required]) => {
    const names = new Set([...required, ...(version[name] ?? [])])
    const known = tables[name]
    if (known === undefined) throw new Error(`the recording has no table ${name}`)
    const columns = [...known.columns, { name: 'success', type: 'boolean', nullable: true }].filter((column) =>
      names.has(column.name),
    )
    const indexes = known.indexes.filter((index) => index.columns.every((column) => names.has(column)))
    return [name, { columns, indexes }] as const
  })
  return { ...rest, tables: Object.fromEntries(kept) }
}

/** Every query of every metric, filtered by all it offers and grouped by all of it or by nothing; at a day too, where it answers one. */
async function askEverything(engine: Engine, isGrouped: boolean): Promise<void> {
  for (const { name: metric, queries } of MAIN_METRICS) {
    for (const [query_type, { inputs }] of Object.entries(queries)) {
      const days = paramsForDays(inputs, RANGE)
      for (const params of 'at' in days ? [RANGE, days] : [days]) {
        const isSeries = !('at' in params)
        const dimensions = isGrouped ? groupableFields(inputs, isSeries).map(({ key }) => key) : []
        const filters = Object.fromEntries(filterableFields(inputs, isSeries).map(({ key }) => [key, { is_empty: true }]))
        await engine.query(metric, { query_type, ...params }, { ...groupedBy(dimensions), filters })
      }
    }
  }
  await engine.summary({ end: RANGE.end })
  for (const list of ['customers', 'subscriptions', 'invoices'] as const) await engine.list(list)
}

describeTargets(
  'the required columns',
  (target) => {
    /** By version, each made once: of one of them something is missing for a test, under another name. */
    const made = new Map<string, Promise<TestDatabase>>()
    const databaseOf = (version: string) => {
      const database = made.get(version) ?? createDatabase(version)
      made.set(version, database)
      return database
    }
    const createDatabase = async (version: string) => {
      const database = await target.createDatabase()
      await createKillbillSchema(database, requiredSchema(VERSIONS[version] ?? {}))
      await database.adminQuery("insert into tenants (record_id, id, external_key, api_key) values (7, 'T', 'acme', 'key')")
      return database
    }

    // The questions about a version are the same on every engine. Each engine is asked about one version, the first about another than the
    // rest. In every third turn the questions group by everything, otherwise by nothing.
    const versions = sampleOf(target, Object.keys(VERSIONS), { first: 2, others: 2, shift: isFirst(target) ? 0 : 1 })
    it.each(versions)('are all that is read of Kill Bill %s', async (version) => {
      const isGrouped = isInTurn(0, 3)
      const engine = await engineOver(await databaseOf(version))
      try {
        await askEverything(engine, isGrouped)
        // The ledger reads columns that a role with rights by column may lack.
        await expect(engine.query('ledger', { query_type: 'cash', ...RANGE })).rejects.toMatchObject({
          code: 'unsupported_by_connector',
        })
        expect((await engine.check()).map(({ name }) => name)).toContain('event_types')
      } finally {
        await engine.close()
      }
    })

    it.each([
      [
        'alter table custom_fields rename column field_value to value_of_field',
        'custom_fields.field_value',
        'alter table custom_fields rename column value_of_field to field_value',
      ],
      ['alter table audit_log rename to log_of_audits', 'audit_log', 'alter table log_of_audits rename to audit_log'],
      [
        'alter table subscription_event_history rename to history',
        'subscription_event_history',
        'alter table history rename to subscription_event_history',
      ],
    ])('are named when they are missing: %s', async (statement, missing, back) => {
      const database = await databaseOf('0.24')
      await database.adminQuery(statement)
      const engine = await engineOver(database)
      try {
        const message = `The database lacks tables or columns of Kill Bill 0.22 to 0.25: ${missing}.`
        await expect(engine.query('churn', RANGE)).rejects.toMatchObject({
          code: 'unsupported_by_connector',
          message,
          context: { connector: 'killbill', missing: [missing] },
        })
        const findings = await engine.check()
        expect(findings.filter(({ level }) => level === 'failure')).toEqual([{ name: 'engine', level: 'failure', message }])
        const look = createLook({ tenant: ['all'], catalog: [] })
        const request = { now: new Date('2026-01-01'), definitions: definitionsSchema.parse({ base_currency: 'USD' }) }
        const filling = database.executor().withSnapshot((snapshot) => look(snapshot, request, undefined, NONE_HELD))
        await expect(filling).rejects.toMatchObject({ code: 'unsupported_by_connector', message })
      } finally {
        await database.adminQuery(back)
        await engine.close()
      }
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

describe('judging a schema', () => {
  const complete = new Map(Object.entries(REQUIRED_COLUMNS).map(([table, columns]) => [table, new Set(columns)]))
  const withColumns = (table: string, ...columns: readonly string[]) =>
    new Map([...complete, [table, new Set([...(complete.get(table) ?? []), ...columns])]])

  it('tells the versions by their columns', () => {
    expect(judgeSchema(withColumns('invoice_payments', 'success'))).toMatchObject({ missing: [], has_payment_status: false })
    expect(judgeSchema(withColumns('invoice_payments', 'status'))).toMatchObject({ missing: [], has_payment_status: true })
    expect(judgeSchema(withColumns('subscription_events', 'quantity')).has_quantity).toBe(true)
  })

  it('wants a payment status of either kind', () => {
    expect(judgeSchema(complete).missing).toEqual(['invoice_payments.status'])
  })
})
