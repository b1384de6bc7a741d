import type { Snapshot, SourceRow } from '../../src/connector-kit/connector.ts'
import type { Discovery } from '../../src/connector-kit/definition.ts'
import {
  createQueryRunner,
  fn,
  parseInteger,
  type QueryRunner,
  sql,
  text,
  textList,
} from '../../src/connector-kit/query-runner.ts'
import { chooseSources, sourceWord } from '../../src/connector-kit/source-choice.ts'
import { checkSchema } from './schema.ts'

/** A row of `organizations`, without its secrets. */
export interface Organization {
  readonly id: string
  readonly name: string
}

/** All organizations, the oldest first. */
export async function readOrganizations(run: QueryRunner): Promise<readonly Organization[]> {
  const rows = await run(
    'lago.organizations',
    sql`select organization.id, organization.name from organizations as organization order by organization.created_at, organization.id`,
  )
  return rows.map((row) => ({ id: text(row['id']), name: text(row['name']) }))
}

/**
 * Organizations that the configuration names, by id or name. `all` is every one, and no word means the only one. ConfigurationError lists the names
 * if the choice is not clear.
 */
export function chooseOrganizations(all: readonly Organization[], wanted: readonly string[]): readonly Organization[] {
  return chooseSources(all, wanted, {
    ...ORGANIZATION_WORDS,
    find: (word) => all.filter(({ id, name }) => id === word || name === word),
  })
}

/** The words for an organization. */
export const ORGANIZATION_WORDS = {
  noun: 'organization',
  nameOf: ({ name }: Organization) => name,
  idOf: ({ id }: Organization) => id,
} as const

/** The sources of the product. A name that an earlier organization has is followed by the id. */
export function sourcesOf(chosen: readonly Organization[]): readonly SourceRow[] {
  return chosen.map(({ id, name }, index) => ({
    source_id: id,
    external_key: null,
    name: chosen.slice(0, index).some((earlier) => earlier.name === name) ? `${name} (${id})` : name,
  }))
}

/**
 * The contents of a Lago database, for `init`, which has no configuration yet. Organizations have their customers if one has to be chosen. The
 * currencies are those of the organizations in `wanted`, or of the only one. AppError `unsupported_by_connector` names missing or unreadable parts.
 */
export async function discoverLago(snapshot: Snapshot, wanted: readonly string[]): Promise<Discovery> {
  const run = createQueryRunner(snapshot)
  await checkSchema(run, snapshot.dialect.name)
  const all = await readOrganizations(run)
  const isOpen = wanted.length === 0 && all.length !== 1
  const chosen = isOpen ? [] : chooseOrganizations(all, wanted)
  const customers = isOpen ? await customersByOrganization(run) : new Map<string, number>()
  const names = sourcesOf(all).map(({ name }) => name)
  return {
    engine: 'Lago',
    sources: all.map((organization, index) => ({
      id: organization.id,
      name: names[index] ?? organization.name,
      word: sourceWord(organization, all, ORGANIZATION_WORDS),
      customers: customers.get(organization.id) ?? 0,
    })),
    chosen: names.filter((_, index) => chosen.some(({ id }) => id === all[index]?.id)),
    currencies: await currencyCounts(run, chosen),
  }
}

/** Customers that have or had a subscription, by organization. Partners do not count. */
async function customersByOrganization(run: QueryRunner): Promise<ReadonlyMap<string, number>> {
  const rows = await run(
    'lago.customer_counts',
    sql`select customer.organization_id, count(*) as customers from customers as customer
      where ${fn('text', sql`customer.account_type`)} <> 'partner'
        and exists (select 1 from subscriptions as subscription where subscription.customer_id = customer.id)
      group by customer.organization_id`,
  )
  return new Map(rows.map((row) => [text(row['organization_id']), parseInteger(row['customers'])]))
}

/** Customers by the currency of the plans that they have or had. A customer may have several. */
async function currencyCounts(run: QueryRunner, chosen: readonly Organization[]): Promise<Discovery['currencies']> {
  if (chosen.length === 0) return []
  const rows = await run(
    'lago.currency_counts',
    sql`select plan.amount_currency as currency, count(distinct customer.id) as customers from subscriptions as subscription
      join customers as customer on customer.id = subscription.customer_id
      join plans as plan on plan.id = subscription.plan_id
      where ${fn('text', sql`customer.organization_id`)} in (${textList(chosen.map(({ id }) => id))})
        and ${fn('text', sql`customer.account_type`)} <> 'partner'
      group by plan.amount_currency order by customers desc, plan.amount_currency`,
  )
  return rows.map((row) => ({ currency: text(row['currency']), customers: parseInteger(row['customers']) }))
}
