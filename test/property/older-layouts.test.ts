import { expect, it } from 'vitest'
import { type Filled, fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { readSchema } from '../support/data/killbill/killbill-fixture.ts'
import type { KillbillSchema } from '../support/data/killbill/killbill-schema.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import { COMPARED, differences, foldRows } from '../support/oracles/fold/relation-differences.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { relationRows } from '../support/product/relation-rows.ts'

const [SEED] = HISTORIES.older_layouts

/** The schema with some columns left out and others added (KB 11.4). */
function changedSchema(without: readonly string[], added: Readonly<Record<string, string>> = {}): KillbillSchema {
  const schema = readSchema()
  const tables = Object.entries(schema.tables).map(([name, table]) => {
    const columns = table.columns.filter((column) => !without.includes(`${name}.${column.name}`))
    const more = Object.entries(added).flatMap(([place, type]) =>
      place.startsWith(`${name}.`) ? [{ name: place.slice(name.length + 1), type, nullable: true }] : [],
    )
    const indexes = table.indexes.filter((index) => index.columns.every((column) => columns.some((one) => one.name === column)))
    return [name, { columns: [...columns, ...more], indexes }] as const
  })
  return { ...schema, tables: Object.fromEntries(tables) }
}

oneEngineInRotation('layouts of other engine versions', (target) => {
  it('0.22: no quantities, and payments that succeeded or not', async () => {
    const schema = changedSchema(['subscription_events.quantity', 'invoice_payments.status'], {
      'invoice_payments.success': 'boolean',
    })
    const history = generatedHistory(...HISTORIES.older_layouts)
    const filled: Filled = await fillDatabase(
      target,
      {
        ...history,
        subscription_events: (history['subscription_events'] ?? []).map(({ quantity: _quantity, ...row }) => row),
        invoice_payments: (history['invoice_payments'] ?? []).map(({ status, ...row }) => ({
          ...row,
          success: status === 'SUCCESS',
        })),
      },
      schema,
    )
    const [now, request] = [
      '2025-01-15 00:00:00',
      { now: new Date('2025-01-15T00:00:00Z'), rates: GENERATED_RATES, tenant: ['all'] },
    ]
    const sql = await relationRows(filled.database, COMPARED, { ...request, params: { usage_invoices_only: false } })
    const tables = (name: string) =>
      name === 'invoice_payments'
        ? filled.tables(name).map(({ success, ...row }) => ({ ...row, status: success === true ? 'SUCCESS' : 'INIT' }))
        : filled.tables(name)
    const fold = foldRows(foldTables(tables, { now, base_currency: 'USD', rates: GENERATED_RATES }))
    const found = COMPARED.map((name) => differences(name, sql[name], fold[name], tables)).filter((one) => one !== '')
    expect(found.join('\n\n'), `seed ${SEED}`).toBe('')
    expect(fold.usage_charge.length).toBeGreaterThan(20)
    expect(fold.mrr_span.every((span) => span['quantity'] === 1)).toBe(true)
  })

  it('without columns that the relations read: refused by their names', async () => {
    const missing = ['subscription_events.phase_name', 'blocking_states.block_billing', 'invoice_payments.status']
    const tenants = [{ id: 'tenant', external_key: 'one', api_key: 'one' }]
    const { database } = await fillDatabase(target, { tenants }, changedSchema(missing))
    const engine = await engineOver(database)
    await expect(engine.query('mrr')).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      context: { missing: expect.arrayContaining(missing) },
    })
  })
})
