import type { HeldCustomers } from '../../../src/connector-kit/mirror-source.ts'
import {
  digits,
  type Fragment,
  fn,
  ident,
  join,
  type QueryRunner,
  sql,
  text,
  textList,
  value,
} from '../../../src/connector-kit/query-runner.ts'
import { GROUPS } from './digests.ts'
import type { Owner } from './parts.ts'

/** Groups of owners in which a row has changed, by the kind of owner. */
export type ChangedGroups = ReadonlyMap<Owner, readonly number[]>

/** The keys of the customers of these organizations that own something in a changed group. */
export async function touchedCustomers(
  run: QueryRunner,
  changed: ChangedGroups,
  organizations: readonly string[],
): Promise<readonly string[]> {
  const selects = [...changed].filter(([, groups]) => groups.length > 0).flatMap(([owner, groups]) => CUSTOMERS_OF[owner](groups))
  if (selects.length === 0) return []
  const rows = await run(
    'lago.touched',
    sql`select ${fn('text', sql`customer.id`)} as customer_key from customers as customer
where customer.id in (${join(selects, sql` union `)}) and ${fn('text', sql`customer.organization_id`)} in (${textList(organizations)})`,
  )
  return rows.map((row) => text(row['customer_key']))
}

/** The keys of the held customers in the groups that these organizations no longer have. */
export async function goneCustomers(
  run: QueryRunner,
  groups: readonly number[],
  organizations: readonly string[],
  held: HeldCustomers,
): Promise<readonly string[]> {
  if (groups.length === 0) return []
  const keys = value((await held()).join(), 'text')
  const rows = await run(
    'lago.gone',
    sql`select listed.key as customer_key from unnest(string_to_array(${keys}, ',')) as listed (key)
where ${inGroups(sql`cast(listed.key as uuid)`, groups)} and not exists (
  select 1 from customers as customer
  where customer.id = cast(listed.key as uuid) and ${fn('text', sql`customer.organization_id`)} in (${textList(organizations)}))`,
  )
  return rows.map((row) => text(row['customer_key']))
}

/** The condition that an id falls in one of the groups. */
function inGroups(id: Fragment, groups: readonly number[]): Fragment {
  return sql`uuid_hash(${id}) & ${digits(GROUPS - 1)} in (${join(groups.map(digits), sql`, `)})`
}

const ownersIn = (table: string) => (groups: readonly number[]) =>
  sql`select owner.customer_id from ${ident(table)} as owner where ${inGroups(sql`owner.id`, groups)}`

/** The condition that an id is that of a plan in the groups, also of one that is gone, or of an override of such a plan. */
const ofPlanIn = (id: Fragment, groups: readonly number[]) =>
  sql`(${inGroups(id, groups)} or ${id} in (select plan.id from plans as plan where ${inGroups(sql`plan.parent_id`, groups)}))`

/** Selects of the customers of each kind of owner. A subscription may have been on a plan that an override has replaced. */
const CUSTOMERS_OF: Readonly<Record<Owner, (groups: readonly number[]) => readonly Fragment[]>> = {
  customer: (groups) => [sql`select owner.id from customers as owner where ${inGroups(sql`owner.id`, groups)}`],
  subscription: (groups) => [ownersIn('subscriptions')(groups)],
  invoice: (groups) => [ownersIn('invoices')(groups)],
  plan: (groups) => [
    sql`select owner.customer_id from subscriptions as owner where ${ofPlanIn(sql`owner.plan_id`, groups)}`,
    sql`select owner.customer_id from subscriptions as owner where ${fn('text', sql`owner.id`)} in (
  select version.item_id from versions as version where version.item_type = 'Subscription' and version.event <> 'create'
    and ${ofPlanIn(sql`cast(version.object_changes -> 'plan_id' ->> 0 as uuid)`, groups)})`,
  ],
}
