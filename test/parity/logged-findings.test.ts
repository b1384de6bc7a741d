import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CheckFinding } from '../../src/connector-kit/connector.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { realTables } from '../support/data/recorded/recorded-tables.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

/** A word that only texts of customers have, in names, addresses and keys. */
const MARK = 'zzpersonal'

const MARKED = [
  `update accounts set name = concat('${MARK} ', record_id), email = concat('${MARK}', record_id, '@example.org'),
    external_key = concat('${MARK}-', record_id)`,
  `update accounts set name = concat('test ${MARK} ', record_id) where record_id in (
    select record_id from (select max(record_id) as record_id from accounts) as one)`,
  `update bundles set external_key = concat(external_key, '-${MARK}')`,
  `update subscription_events set user_type = 'CREATE' where user_type = 'TRANSFER'`,
  `update subscriptions set external_key = concat('${MARK}-', record_id)`,
  `update subscription_events set quantity = 900000000 where record_id in (
    select record_id from (select max(record_id) as record_id from subscription_events where event_type = 'QUANTITY_UPDATE' and is_active) as one)`,
]

/** The text that a service writes to its log. */
const logText = ({ message, logged = message }: CheckFinding) => logged

oneEngineInRotation('the findings in the log of a service', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const database = await target.createDatabase()
    await loadReal(database)
    for (const statement of MARKED) await database.adminQuery(statement)
    engine = await engineOver(database, { tenant: ['all'], definitions: { allow_unpriced: true } })
  })
  afterAll(async () => engine?.close())

  it('name no customer, whatever the findings of check say', async () => {
    const ids = ['accounts', 'bundles', 'subscriptions'].flatMap((table) => realTables(table).map((row) => String(row['id'])))
    const namesCustomers = (text: string) => text.includes(MARK) || ids.some((id) => text.includes(id))
    const findings = await engine.check({ cross: true })
    const named = findings.filter(({ message }) => namesCustomers(message)).map(({ name }) => name)
    for (const name of ['mrr_amounts', 'not_invoiced', 'test_accounts', 'transfers']) expect(named).toContain(name)
    expect(findings.filter((finding) => namesCustomers(logText(finding)))).toEqual([])
  })
})
