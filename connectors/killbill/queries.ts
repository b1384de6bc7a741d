import { join } from 'node:path'
import type { Row } from '../../src/connector-kit/connector.ts'
import { fragment, parseInteger, type QueryRunner, sql, text, value } from '../../src/connector-kit/query-runner.ts'
import { type ZoneInUse, zonesIn } from '../../src/connector-kit/zone-offsets.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { CONTROL_TAGS } from './control-tags.ts'
import type { Tenant } from './tenants.ts'

/** Folder of the connector's relations. It stays with the sources, because the build compiles only TypeScript. */
export const RELATIONS = join(packageRoot(), 'connectors', 'killbill', 'relations')

/** All tenants, without their secrets. */
export async function readTenants(run: QueryRunner): Promise<readonly Tenant[]> {
  const rows = await run('killbill.tenants', sql`select record_id, id, external_key, api_key from tenants order by record_id`)
  return rows.map((row) => ({
    record_id: parseInteger(row['record_id']),
    id: text(row['id']),
    external_key: row['external_key'] === null ? null : text(row['external_key']),
    api_key: row['api_key'] === null ? null : text(row['api_key']),
  }))
}

/** The accounts of these tenants that count (D10, D16). */
export interface AccountsInUse {
  /** The currencies of those that own a subscription, ascending. */
  readonly currencies: readonly string[]
  /** Those of the others. Absent: nobody has read them, as only the books need them. */
  readonly other_currencies?: readonly string[]
  readonly zones: readonly ZoneInUse[]
}

/** Reads their currencies and time zones in one statement, because each request runs it. */
export async function readAccountsInUse(
  run: QueryRunner,
  tenants: readonly number[],
  includeTestAccounts: boolean,
): Promise<AccountsInUse> {
  if (tenants.length === 0) return { currencies: [], other_currencies: [], zones: [] }
  const ids = value(tenants, 'integers')
  const tests = includeTestAccounts
    ? fragment([])
    : sql` and account.id not in (select tag.object_id from tags as tag where tag.tenant_record_id in (${ids})
        and tag.is_active = true and tag.object_type = 'ACCOUNT'
        and tag.tag_definition_id = ${value(CONTROL_TAGS.TEST, 'text')})`
  const rows = await run(
    'killbill.accounts',
    sql`select account.currency, account.time_zone, min(account.reference_time) as first_time,
        max(account.reference_time) as last_time, count(owner.account_record_id) as owners
      from accounts as account
      left join (select distinct subscription.account_record_id from subscriptions as subscription
        where subscription.tenant_record_id in (${ids})) as owner on owner.account_record_id = account.record_id
      where account.tenant_record_id in (${ids})${tests}
      group by account.currency, account.time_zone`,
  )
  const owned = rows.filter((row) => parseInteger(row['owners']) > 0)
  const currencies = currenciesIn(owned)
  const other_currencies = currenciesIn(rows).filter((currency) => !currencies.includes(currency))
  return { currencies, other_currencies, zones: zonesIn(rows) }
}

function currenciesIn(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => (row['currency'] === null ? [] : [text(row['currency'])])))].sort()
}

/**
 * Number of accounts that own a subscription, by currency. TEST accounts are included. The most frequent currency comes first.
 */
export async function readCurrencyCounts(
  run: QueryRunner,
  tenants: readonly number[],
): Promise<readonly { readonly currency: string; readonly customers: number }[]> {
  const ids = value(tenants, 'integers')
  const rows = await run(
    'killbill.currency_counts',
    sql`select account.currency, count(*) as customers from accounts as account
      where account.tenant_record_id in (${ids}) and account.currency is not null
        and exists (select 1 from subscriptions as subscription where subscription.tenant_record_id in (${ids})
          and subscription.account_record_id = account.record_id)
      group by account.currency order by customers desc, account.currency`,
  )
  return rows.map((row) => ({ currency: text(row['currency']), customers: parseInteger(row['customers']) }))
}

/** Number of accounts that own a subscription, by tenant. TEST accounts are included. */
export async function readCustomerCounts(run: QueryRunner): Promise<ReadonlyMap<number, number>> {
  const rows = await run(
    'killbill.customer_counts',
    sql`select account.tenant_record_id, count(*) as customers from accounts as account
      where exists (select 1 from subscriptions as subscription where subscription.account_record_id = account.record_id)
      group by account.tenant_record_id`,
  )
  return new Map(rows.map((row) => [parseInteger(row['tenant_record_id']), parseInteger(row['customers'])]))
}

/** Rates of the analytics plugin into `base`. Each is valid from its start_date on (D11). */
export async function readAnalyticsRates(
  run: QueryRunner,
  base: string,
): Promise<readonly { date: string; from: string; to: string; rate: string }[]> {
  const rows = await run(
    'killbill.rates',
    sql`select currency, cast(start_date as date) as start_date, reference_rate, reference_currency
      from analytics_currency_conversion where reference_currency = ${value(base, 'text')} order by currency, start_date, record_id`,
  )
  return rows.map((row) => ({
    date: text(row['start_date']),
    from: text(row['currency']),
    to: text(row['reference_currency']),
    rate: text(row['reference_rate']),
  }))
}
