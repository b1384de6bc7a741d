import { expect, it } from 'vitest'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { notDueDays } from '../support/oracles/arrears-loops.ts'
import { judgedDays } from '../support/oracles/billing-health-loops.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Cells = Record<string, string | number | boolean | null>

/** Days on which a billed period ends; a subscription without one was never billed. */
const BILLED_TO = ['2024-10-31', '2024-12-01', '2025-01-14', null]

/** A generated history whose plans all bill in arrears, with a recurring item for three of four subscriptions. */
function history(): Readonly<Record<string, readonly Cells[]>> {
  const rows = generatedHistory(...HISTORIES.levels)
  const list = (table: string) => rows[table] ?? []
  const items = list('subscriptions').flatMap((row, index): readonly Cells[] => {
    const end_date = BILLED_TO[index % BILLED_TO.length] ?? null
    const { account_record_id = null, tenant_record_id = null, id = null } = row
    const owner = { account_record_id, tenant_record_id, account_id: `account-${account_record_id}`, currency: 'USD' }
    const plan = { plan_name: 'p-monthly', phase_name: 'p-monthly-evergreen', amount: '10.00', rate: '10.00' }
    const item = {
      ...owner,
      ...plan,
      id: `charge-${index}`,
      invoice_id: `charged-${index}`,
      type: 'RECURRING',
      subscription_id: id,
    }
    return end_date === null ? [] : [{ ...item, start_date: '2024-08-01', end_date, created_date: '2024-08-01 00:00:00' }]
  })
  return {
    ...rows,
    accounts: list('accounts').map((row) => ({ ...row, time_zone: 'UTC', reference_time: '2024-01-01 00:00:00' })),
    tenant_kvs: list('tenant_kvs').map((row) => ({
      ...row,
      tenant_value: String(row['tenant_value']).replace('IN_ADVANCE', 'IN_ARREAR'),
    })),
    invoices: [
      ...list('invoices'),
      ...items.map(
        ({ account_record_id = null, tenant_record_id = null, account_id = null, invoice_id = null, currency = null }) => ({
          ...{ account_record_id, tenant_record_id, account_id, currency, id: invoice_id },
          ...{ status: 'COMMITTED', migrated: false, created_date: '2024-08-01 00:00:00' },
        }),
      ),
    ],
    invoice_items: [...list('invoice_items'), ...items],
  }
}

firstEngineAndOneOther('days that are not due in arrears compared with plain loops', (target) => {
  it('are as many on each day on which it is asked (H1)', async () => {
    const { database, tables } = await fillDatabase(target, history())
    const found: [string, unknown][] = []
    const expected: [string, unknown][] = []
    for (const today of ['2024-12-02', '2025-01-01', '2025-01-15', '2025-01-31', '2025-02-01', '2025-03-01']) {
      const now = `${today} 00:00:00`
      const days = {
        start: '2024-09-01',
        end: new Date(Date.parse(`${today}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10),
      }
      const engine = await engineOver(database, {
        ...{ tenant: ['all'], now: new Date(`${today}T00:00:00Z`), store: await ratesOnly(RATES_CSV) },
        definitions: { allow_unpriced: true },
      })
      const { data } = await engine.billingHealth(days)
      await engine.close()
      found.push([today, (data as { readonly not_due_days: number }).not_due_days])
      const customers = foldTables(tables, { now, base_currency: 'USD', rates: GENERATED_RATES })
      const judged = judgedDays(customers, tables, { first: days.start, last: days.end, now })
      expected.push([today, notDueDays(judged, customers, tables, now).length])
    }
    expect(found).toEqual(expected)
    expect(expected.every(([, count]) => Number(count) > 0)).toBe(true)
  })
})
