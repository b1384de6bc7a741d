import { type Fragment, sql, value } from '../../../src/connector-kit/query-runner.ts'

/** All accounts of the tenants, or some. */
export interface LinkScope {
  readonly tenants: readonly number[]
  readonly accounts?: readonly number[]
}

/** Condition on a table under that name: its rows are of these accounts. */
export function within(table: Fragment, { tenants, accounts }: LinkScope): Fragment {
  const ofTenants = sql`${table}.tenant_record_id in (${value(tenants, 'integers')})`
  return accounts === undefined ? ofTenants : sql`${ofTenants} and ${table}.account_record_id in (${value(accounts, 'integers')})`
}
