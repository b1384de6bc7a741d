import { expect, it } from 'vitest'
import { REQUIRED_COLUMNS } from '../../connectors/killbill/required-schema.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import { createRole } from '../support/databases/restricted-role.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { trapDatabase } from '../support/product/trap-engines.ts'

const RANGE = { start: '2026-01-01', end: '2026-01-31' }

firstEngineAndOneOther('a role that does not see what only the ledger reads', (target) => {
  it('gets every other metric, and the ledger says what is lacking', async () => {
    const isPostgres = target.dialect.name === 'postgres'
    const database = await trapDatabase(target, { all: trap({ subscriptions: { S: held('gold', '2025-12-01') } }) })
    const role = await createRole(database)
    const engine = await engineOver(database, { tenant: ['all'], settings: { url: role.url } })
    const lacking = (names: string) =>
      isPostgres ? `The database role may not read ${names}.` : `The database has no ${names}, or its role may not read that.`
    const expectRefused = async (names: string) => {
      const message = `${lacking(names)} The ledger is therefore not known.`
      for (const query_type of ['revenue', 'cash', 'corrections'])
        await expect(
          engine.query('ledger', { query_type, ...RANGE, ...(query_type === 'corrections' && { known_at: '2026-01-31' }) }),
        ).rejects.toMatchObject({ code: 'unsupported_by_connector', message })
      expect((await engine.query('churn', RANGE)).data).not.toEqual([])
      expect((await engine.query('mrr', RANGE)).data).not.toEqual([])
      const [finding] = (await engine.check()).filter(({ name }) => name === 'ledger')
      expect(finding).toMatchObject({ level: 'warning' })
      expect(finding?.message).toContain(`${message} If they exist, \`plumbline grants`)
    }
    const grant = async (table: string, columns: readonly string[]) => {
      await database.adminQuery(`revoke select on ${table} from ${role.grantee}`)
      await database.adminQuery(`grant select (${columns.join(', ')}) on ${table} to ${role.grantee}`)
    }
    expect((await engine.query('ledger', { query_type: 'cash', ...RANGE })).data).toHaveLength(1)
    expect((await engine.check()).map(({ name }) => name)).not.toContain('ledger')
    // Without the transactions only collections are not known.
    await database.adminQuery(`revoke select on payment_transactions from ${role.grantee}`)
    const untold = `${lacking('payment_transactions')} Attempts to collect invoices are therefore not known.`
    await expect(engine.query('ledger', { query_type: 'collections', ...RANGE })).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      message: untold,
    })
    expect((await engine.query('ledger', { query_type: 'cash', ...RANGE })).data).toHaveLength(1)
    const [warning] = (await engine.check()).filter(({ name }) => name === 'collections')
    expect(warning?.message).toContain(`${untold} If they exist, \`plumbline grants`)
    await database.adminQuery(`grant select on payment_transactions to ${role.grantee}`)
    expect((await engine.query('ledger', { query_type: 'collections', ...RANGE })).data).toHaveLength(1)
    await database.adminQuery(`revoke select on invoice_payment_history from ${role.grantee}`)
    await expectRefused('invoice_payment_history')
    const { checks } = await engine.verification.run({ ...RANGE, check: ['groups_add_up', 'rows_sum_to_numbers'] })
    for (const { name, ok, count, message } of checks) {
      expect([ok, count > 10], name).toEqual([true, true])
      expect(message.split('The ledger is therefore not known.')).toHaveLength(2)
    }
    await database.adminQuery(`grant select on invoice_payment_history to ${role.grantee}`)
    await grant('tags', REQUIRED_COLUMNS['tags'] ?? [])
    await grant('invoice_payments', [...(REQUIRED_COLUMNS['invoice_payments'] ?? []), 'status'])
    await expectRefused('invoice_payments.type, tags.updated_date')
    await engine.close()
    await role.drop()
  })
})
