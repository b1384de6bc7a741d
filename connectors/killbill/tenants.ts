import { chooseSources, sourceLabels } from '../../src/connector-kit/source-choice.ts'
import { ConfigurationError } from '../../src/core/errors.ts'

/** A row of `tenants`, without its secrets. */
export interface Tenant {
  readonly record_id: number
  readonly id: string
  readonly external_key: string | null
  readonly api_key: string | null
}

/** Tenant keys for `in (…)`. No tenant matches 0, so an engine without tenants returns nothing. `in ()` is not valid SQL. */
export function tenantKeys(tenants: readonly Tenant[]): readonly number[] {
  return tenants.length === 0 ? [0] : tenants.map((tenant) => tenant.record_id)
}

/**
 * Tenants that the configuration names. Each word is tried as external key, API key, id and `record_id`, in this order. `all` is every
 * tenant. No word means the only one. ConfigurationError lists the external keys if the choice is not clear.
 */
export function chooseTenants(tenants: readonly Tenant[], wanted: readonly string[]): readonly Tenant[] {
  return chooseSources(tenants, wanted, {
    ...TENANT_WORDS,
    find: (word) => [findTenant(tenants, word)].filter((tenant) => tenant !== undefined),
  })
}

/** The words for a tenant. */
export const TENANT_WORDS = {
  noun: 'tenant',
  nameOf: ({ external_key }: Tenant) => external_key ?? undefined,
  idOf: ({ id }: Tenant) => id,
} as const

/** A tenant with the name that users see (D15). */
export interface NamedTenant extends Tenant {
  readonly name: string
}

/**
 * The served tenants with their names: the configured name, else the external key. `names` has each tenant by external key, API key, id
 * or `record_id`. A default name that is already taken gets the `record_id`. ConfigurationError for an unknown tenant, for two names of
 * one tenant, and for two tenants of one name.
 */
export function nameTenants(
  all: readonly Tenant[],
  served: readonly Tenant[],
  names: Readonly<Record<string, string>>,
): readonly NamedTenant[] {
  const problems: string[] = []
  const given = new Map<Tenant, string>()
  for (const [word, name] of Object.entries(names)) {
    const tenant = findTenant(all, word)
    const quoted = JSON.stringify(word)
    if (tenant === undefined)
      problems.push(`connector.tenant_names: no tenant ${quoted}; there are ${sourceLabels(all, TENANT_WORDS)}`)
    else if (given.has(tenant)) problems.push(`connector.tenant_names: ${quoted} is a tenant that has a name already`)
    else if ([...given.values()].includes(name))
      problems.push(`connector.tenant_names: two tenants have the name ${JSON.stringify(name)}`)
    else given.set(tenant, name)
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  const taken = new Set(served.flatMap((tenant) => given.get(tenant) ?? []))
  // The oldest tenant keeps a key that several have, so that its name does not change when another tenant comes.
  for (const tenant of [...served].sort((a, b) => a.record_id - b.record_id)) {
    if (given.has(tenant)) continue
    const name = defaultNames(tenant).find((each) => !taken.has(each)) ?? tenant.id
    given.set(tenant, name)
    taken.add(name)
  }
  return served.map((tenant) => ({ ...tenant, name: given.get(tenant) ?? tenant.id }))
}

// The API key is half of a credential, so it is never shown.
function defaultNames({ external_key, record_id }: Tenant): readonly string[] {
  const key = external_key?.trim() ?? ''
  return key === '' ? [`Tenant ${record_id}`] : [key, `${key} (${record_id})`]
}

function findTenant(tenants: readonly Tenant[], word: string): Tenant | undefined {
  return (
    tenants.find((tenant) => tenant.external_key === word) ??
    tenants.find((tenant) => tenant.api_key === word) ??
    tenants.find((tenant) => tenant.id === word) ??
    tenants.find((tenant) => String(tenant.record_id) === word)
  )
}
