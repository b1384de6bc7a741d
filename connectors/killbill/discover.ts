import type { Snapshot } from '../../src/connector-kit/connector.ts'
import type { Discovery } from '../../src/connector-kit/definition.ts'
import { createQueryRunner } from '../../src/connector-kit/query-runner.ts'
import { readCurrencyCounts, readCustomerCounts, readTenants } from './queries.ts'
import { schemaName } from './required-schema.ts'
import { readSchema } from './schema.ts'
import { chooseTenants, type Tenant } from './tenants.ts'

/**
 * The contents of a Kill Bill database, for `init`, which has no configuration yet: its tenants, and the currencies of the tenants in
 * `wanted`, or of the only tenant. If the caller must choose, each tenant has its number of customers. AppError
 * `unsupported_by_connector` names the missing or unreadable parts.
 */
export async function discoverEngine(snapshot: Snapshot, wanted: readonly string[]): Promise<Discovery> {
  const run = createQueryRunner(snapshot)
  const schema = await readSchema(run, snapshot.dialect.name)
  const tenants = await readTenants(run)
  const isOpen = wanted.length === 0 && tenants.length !== 1
  const chosen = isOpen ? [] : chooseTenants(tenants, wanted)
  const currencies =
    chosen.length === 0
      ? []
      : await readCurrencyCounts(
          run,
          chosen.map(({ record_id }) => record_id),
        )
  const customers = isOpen ? await readCustomerCounts(run) : new Map<number, number>()
  return {
    engine: schemaName(schema),
    sources: tenants.map((tenant) => ({
      id: tenant.id,
      name: nameOf(tenant),
      word: wordOf(tenant, tenants),
      customers: customers.get(tenant.record_id) ?? 0,
    })),
    chosen: chosen.map(nameOf),
    currencies,
  }
}

function nameOf({ external_key, id }: Tenant): string {
  return external_key === null || external_key.trim() === '' ? id : external_key
}

// The external key, or the id if the key names several tenants or cannot be an option.
function wordOf({ external_key: key, id }: Tenant, tenants: readonly Tenant[]): string {
  const isUsable = key !== null && key.trim() === key && key !== '' && key !== 'all' && !key.includes(',')
  return isUsable && tenants.filter(({ external_key }) => external_key === key).length === 1 ? key : id
}
