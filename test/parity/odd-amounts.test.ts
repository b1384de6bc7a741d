import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const USAGE = { query_type: 'total', start: '2025-01-01', end: '2026-11-20' }

describeTargets('an amount that is NaN, which PostgreSQL accepts', (target) => {
  const isPostgres = ['postgres', 'pglite'].includes(target.name)
  let database: TestDatabase
  let engine: Engine
  const [ofUsage, ofFee] = ["type = 'USAGE'", "type = 'RECURRING'"]
  const spoil = (kind: string) =>
    database.adminQuery(`update invoice_items set amount = 'NaN' where record_id = (
      select max(i.record_id) from invoice_items i join tenants t on t.record_id = i.tenant_record_id
      where t.external_key = 'alpha' and i.created_date < '2026-06-01' and i.${kind})`)
  beforeAll(async () => {
    if (!isPostgres) return
    database = await target.createDatabase()
    await loadReal(database)
    engine = await engineOver(database, { tenant: ['alpha'] })
  })
  afterAll(async () => engine?.close())

  it('is named by the answers that it is part of, and by the checks', async ({ skip }) => {
    if (!isPostgres) skip()
    const before = await engine.query('usage_revenue', USAGE)
    expect(before.data).toBeGreaterThan(0)
    expect(await engine.check({ cross: true })).toContainEqual(
      expect.objectContaining({ name: 'amounts', level: 'ok', message: 'no amount is NaN or infinite (5 columns)' }),
    )
    await spoil(ofUsage)
    await spoil(ofFee)
    const refusal = {
      code: 'canonical_enum_violation',
      status: 422,
      message: expect.stringMatching(/^The rows of ".+" contain NaN or an infinite number.*`plumbline check --cross`/),
    }
    await expect(engine.query('usage_revenue', USAGE)).rejects.toMatchObject(refusal)
    await expect(engine.list('invoices', { limit: '1000' })).rejects.toMatchObject(refusal)
    // Figures without that amount are answered.
    expect((await engine.query('churn', { ...USAGE, query_type: 'logo' })).data).toBeGreaterThan(0)
    const findings = await engine.check({ cross: true })
    expect(findings.filter(({ name }) => name === 'amounts')).toEqual([
      {
        name: 'amounts',
        level: 'failure',
        message: expect.stringMatching(/^invoice_items\.amount is NaN or infinite in 2 rows, the first with record_id \d+$/),
      },
    ])
  })
})
