import type { Discovery } from '../../connector-kit/definition.ts'
import { ConfigurationError } from '../../core/errors.ts'
import { placeOf, readAddress } from '../../databases/addresses/read-address.ts'
import type { FirstLook, InitOptions } from '../../facades/cli/product.ts'
import type { ReplicaState } from '../../ports/executor.ts'
import { BUILT_IN_CONNECTORS } from '../built-in-connectors.ts'
import { composeExecutor } from '../compose.ts'
import { type ConfigInputs, loadConfig } from '../config/config.ts'

/** What a database told, and the settings that follow from it. */
export interface Discovered {
  readonly seen: Pick<FirstLook, 'database' | 'engine' | 'tenants' | 'chosen' | 'currencies' | 'base_currency'>
  /** For a file. */
  readonly values: Readonly<Record<string, string | readonly string[]>>
  /** The same as options. */
  readonly options: Readonly<Record<string, string | readonly string[]>>
}

/**
 * Asks a database what is needed to configure it. ConfigurationError where it has several tenants and none is named; AppError
 * `connector_unavailable`, or `unsupported_by_connector` with the command that prints missing grants.
 */
export async function discover(
  inputs: ConfigInputs,
  url: string,
  { tenant, baseCurrency }: Pick<InitOptions, 'tenant' | 'baseCurrency'>,
): Promise<Discovered> {
  const given = { 'database.url': url, 'connector.tenant': tenant, 'definitions.base_currency': baseCurrency }
  const config = loadConfig({ ...inputs, config: null, options: given })
  // The environment may have named them.
  const wanted = namesIn(config.connector['tenant'])
  const base = config.definitions.base_currency
  const executor = composeExecutor(config, 1)
  try {
    const connector = BUILT_IN_CONNECTORS.find(({ type }) => type === config.connector.type)
    if (connector?.discover === undefined)
      throw new ConfigurationError([`connector.type: "${config.connector.type}" cannot look around`])
    const { discover: lookAround } = connector
    const found = await executor.withSnapshot((snapshot) => lookAround(snapshot, wanted))
    if (found.chosen.length === 0 && found.sources.length > 1) throw new ConfigurationError([severalTenants(found.sources)])
    return concluded(found, await executor.state(), { url, reached: config.database.url, base }, wanted)
  } finally {
    await executor.close()
  }
}

function concluded(
  found: Discovery,
  state: ReplicaState,
  { url, reached, base }: { readonly url: string; readonly reached: string; readonly base: string | undefined },
  wanted: readonly string[],
): Discovered {
  const { engine, sources: tenants, chosen, currencies } = found
  const base_currency = base ?? currencies[0]?.currency ?? 'USD'
  const named = wanted.length > 0 ? wanted : chosen
  return {
    seen: { database: serverOf(state, reached), engine, tenants, chosen, currencies, base_currency },
    values: {
      'database.url': url,
      ...(named.length === 0 ? {} : { 'connector.tenant': named.length === 1 ? String(named[0]) : named }),
      'definitions.base_currency': base_currency,
    },
    options: {
      'database.url': url,
      ...(named.length === 0 ? {} : { 'connector.tenant': named }),
      'definitions.base_currency': base_currency,
    },
  }
}

function namesIn(tenants: unknown): readonly string[] {
  return Array.isArray(tenants) ? tenants.map(String) : []
}

function serverOf({ version, schema, role }: ReplicaState, url: string): string {
  const reading = readAddress(url)
  const where = reading !== undefined && 'address' in reading ? ` at ${placeOf(reading.address)}` : ''
  return `${version ?? 'a server'}${where}${schema === null ? '' : `, schema ${schema}`}, role ${role}`
}

function severalTenants(tenants: readonly string[]): string {
  const names = tenants.map((name) => JSON.stringify(name)).join(', ')
  const byId = tenants.some((name) => name.includes(',')) ? '; what has a comma in its name is named by its id' : ''
  return `the database has ${tenants.length} tenants: ${names}; name one with --tenant, several with commas, or "all"${byId}`
}
