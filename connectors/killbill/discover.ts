import type { Snapshot } from '../../src/connector-kit/connector.ts'
import type { Discovery } from '../../src/connector-kit/definition.ts'
import { createQueryRunner } from '../../src/connector-kit/query-runner.ts'
import { sourceWord } from '../../src/connector-kit/source-choice.ts'
import { readCurrencyCounts, readCustomerCounts, readTenants } from './queries.ts'
import { schemaName } from './required-schema.ts'
import { readSchema } from './schema.ts'
import { chooseTenants, nameTenants, TENANT_WORDS } from './tenants.ts'

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
  const named = nameTenants(tenants, tenants, {})
  const customers = isOpen ? await readCustomerCounts(run) : new Map<number, number>()
  return {
    engine: schemaName(schema),
    sources: named.map((tenant) => ({
      id: tenant.id,
      name: tenant.name,
      word: sourceWord(tenant, tenants, TENANT_WORDS),
      customers: customers.get(tenant.record_id) ?? 0,
    })),
    chosen: named.filter(({ id }) => chosen.some((tenant) => tenant.id === id)).map(({ name }) => name),
    currencies,
  }
}
