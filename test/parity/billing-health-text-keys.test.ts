import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { fillToy, toyId } from '../support/data/toy-data.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { toyCatalog, toyEngine } from '../support/product/toy-engine.ts'

const RANGE = { start: '2025-03-01', end: '2025-05-31' }

type Findings = { readonly rows: readonly (Readonly<Record<string, unknown>> & { readonly evidence: readonly object[] })[] }

// The keys of the toy engine are UUIDs. It knows no zones and no causes.
firstEngineAndOneOther('billing health over keys that are no numbers', (target) => {
  let database: TestDatabase
  let engine: Engine
  beforeAll(async () => {
    database = await target.createDatabase()
    await fillToy(database)
    const catalog = toyCatalog(join(packageRoot(), 'test', 'support', 'product', 'toy-billing'))
    engine = await toyEngine(database, { billed_stretch: 'exact', billing_evidence: 'exact' }, { catalog })
  })
  afterAll(() => engine.close())

  it('finds the item that was too small, and that it ran on after the end', async () => {
    const { rows } = (await engine.billingFindings(RANGE)).data as Findings
    const S6 = { subscription_id: toyId('S6'), customer_id: toyId('F') }
    const cost = (days: number, cents: number) => Math.round((days * cents * 12) / 365)
    const found = [...rows].sort((a, b) => (String(a['first_day']) < String(b['first_day']) ? -1 : 1))
    expect(found).toMatchObject([
      { ...S6, class: 'other', first_day: '2025-04-10', last_day: '2025-04-19', agreed_cents: cost(10, 5_000) },
      { ...S6, class: 'billed_after_end', first_day: '2025-04-20', last_day: '2025-05-09', billed_cents: cost(20, 1_613) },
    ])
    expect(found[0]).toMatchObject({ billed_cents: cost(10, 1_613), days: 10 })
  })

  it('names rows without numbers by their id', async () => {
    const { rows } = (await engine.billingFindings(RANGE)).data as Findings
    const [row] = await database.adminQuery(
      `select id from toy_item where subscription_id = '${toyId('S6')}' and amount_cents = 1613`,
    )
    expect(rows[0]?.evidence).toContainEqual(
      expect.objectContaining({
        table: 'toy_item',
        record_id: null,
        id: row?.['id'],
        note: expect.stringContaining('16.13 USD'),
      }),
    )
  })
})
