import type { Row } from '../../../src/connector-kit/connector.ts'
import { type Fragment, type QueryRunner, sql, textList, value } from '../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../src/core/batches.ts'
import { parseInteger } from '../../../src/core/money.ts'
import { eachInSlices } from '../../../src/core/slices.ts'
import { digestOf } from '../catalog/text-digest.ts'
import { type CatalogChanges, namesOf, type Subject, subjectOf } from './catalog-changes.ts'

/** Names in one statement. */
const CHUNK = 500

/**
 * Accounts whose rows a change of the catalogs of these tenants can reach: those with an event in a phase of a changed subject, also with one
 * that is switched off. Items of invoices name no other phases. A subject that is gone is looked for among the phases of all events.
 */
export async function catalogAccounts(
  run: QueryRunner,
  tenants: readonly number[],
  { subjects, unnamed }: CatalogChanges,
): Promise<readonly number[]> {
  const found = unnamed.size === 0 ? subjects : [...subjects, ...(await subjectsInUse(run, tenants, unnamed))]
  const wanted = new Set(found.flatMap(({ phases, tenant, currency }) => phases.map((phase) => keyOf(tenant, phase, currency))))
  const accounts = new Set<number>()
  for (const phases of chunksOf([...new Set(found.flatMap((subject) => subject.phases))], CHUNK)) {
    const columns = sql`event.tenant_record_id, event.phase_name, coalesce(account.currency, '') as currency, account.record_id as account`
    const rows = await run(
      'killbill.log.priced',
      eventRows(
        columns,
        sql`event.tenant_record_id in (${value(tenants, 'integers')}) and event.phase_name in (${textList(phases)})`,
      ),
    )
    await eachInSlices(rows, (row) => {
      const { tenant, phase, currency } = readEvent(row)
      const isWanted = wanted.has(keyOf(tenant, phase, currency)) || wanted.has(keyOf(tenant, phase, null))
      if (isWanted) accounts.add(parseInteger(row['account']))
    })
  }
  return [...accounts]
}

/** The subjects with these digests that some account reads. The statement reads all events. */
async function subjectsInUse(
  run: QueryRunner,
  tenants: readonly number[],
  digests: ReadonlySet<string>,
): Promise<readonly Subject[]> {
  const columns = sql`event.tenant_record_id, event.phase_name, coalesce(account.currency, '') as currency`
  const rows = await run(
    'killbill.log.subjects',
    eventRows(columns, sql`event.tenant_record_id in (${value(tenants, 'integers')}) and event.phase_name is not null`),
  )
  const names = new Set<string>()
  await eachInSlices(rows, (row) => {
    const { tenant, phase, currency } = readEvent(row)
    for (const name of namesOf(tenant, phase, currency)) if (digests.has(digestOf(name))) names.add(name)
  })
  return [...names].map(subjectOf)
}

function eventRows(columns: Fragment, where: Fragment): Fragment {
  return sql`select distinct ${columns}
from subscription_events as event
join subscriptions as subscription on subscription.id = event.subscription_id
join accounts as account on account.record_id = subscription.account_record_id
where ${where}`
}

function readEvent(row: Row): { readonly tenant: number; readonly phase: string; readonly currency: string } {
  return {
    tenant: parseInteger(row['tenant_record_id']),
    phase: String(row['phase_name']),
    currency: String(row['currency']),
  }
}

function keyOf(tenant: number, phase: string, currency: string | null): string {
  return JSON.stringify([tenant, phase, currency])
}
