import { beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Row } from '../../src/ports/rows.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'

const NOBODY = {
  customer_id: '',
  subscription_id: null,
  document_id: null,
  at: null,
  cancel_reason: null,
  swap_minutes: 0,
  currency: null,
  rate: null,
  rate_day: null,
  usage: [],
}

oneEngineInRotation('evidence that the recorded data lacks', (target) => {
  let database: TestDatabase
  let invoice: Row
  beforeAll(async () => {
    const { given } = readExample('worked-example')
    const [payment] = given['invoice_payments'] ?? []
    const found = (given['invoices'] ?? []).find(({ id }) => id === payment?.['invoice_id'])
    if (found === undefined) throw new Error('the example has no paid invoice')
    invoice = found
    const written = { record_id: 1, id: 'tag-1', object_id: found['id'], object_type: 'INVOICE', is_active: true }
    const owner = { account_record_id: found['account_record_id'], tenant_record_id: found['tenant_record_id'] }
    const tag = {
      ...written,
      ...owner,
      tag_definition_id: '00000000-0000-0000-0000-000000000004',
      created_date: '2025-05-02 10:00:00',
    }
    database = (await fillDatabase(target, { ...given, tags: [...(given['tags'] ?? []), tag] })).database
    await database.adminQuery(
      'create table analytics_currency_conversion (record_id integer, currency varchar(3), start_date date, reference_rate decimal(12, 4), reference_currency varchar(3))',
    )
    await database.adminQuery(
      "insert into analytics_currency_conversion values (7, 'EUR', '2025-01-01', 1.1000, 'USD'), (8, 'EUR', '2025-03-01', 1.2000, 'USD')",
    )
  })

  const evidenceOf = (subject: object) =>
    database.executor().withSnapshot(async (snapshot) => {
      const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })
      const definitions = definitionsSchema.parse({ base_currency: 'USD' })
      const session = await connector.open(snapshot, { now: new Date('2025-06-05T00:00:00Z'), definitions })
      const found = await connector.evidence?.(snapshot, session, [{ ...NOBODY, ...subject }])
      return found?.[0] ?? []
    })

  it('of an invoice has its payments and the tag that wrote it off', async () => {
    const found = await evidenceOf({ document_id: invoice['id'] })
    expect(found.map(({ table }) => table)).toEqual(['invoices', 'invoice_payments', 'tags'])
    expect(found[1]?.note).toMatch(/^payment of [\d.]+ [A-Z]{3} on \d{4}-\d{2}-\d{2}$/)
    expect(found[2]).toMatchObject({ record_id: 1, note: 'invoice written off on 2025-05-02 (WRITTEN_OFF)' })
  })

  it.each([
    ['the newest by the day', { rate: '1.1', rate_day: '2025-02-28' }, [7]],
    ['a later one from its day on', { rate: '1.2', rate_day: '2025-03-01' }, [8]],
    ['none if the amount has a rate from elsewhere', { rate: '1.3', rate_day: '2025-03-01' }, []],
  ])('of an amount in another currency has the rate: %s', async (_, stated, records) => {
    const rates = (await evidenceOf({ currency: 'EUR', ...stated })).filter(({ table }) => table.startsWith('analytics'))
    expect(rates.map(({ record_id }) => record_id)).toEqual(records)
    if (records.length > 0) expect(rates[0]?.note).toMatch(/^1 EUR is 1\.[12] USD since 2025-0[13]-01$/)
  })
})
