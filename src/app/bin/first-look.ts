import type { ConnectorDefinition, Discovery } from '../../connector-kit/definition.ts'
import { AppError, ConfigurationError } from '../../core/errors.ts'
import { placeOf, readAddress } from '../../databases/addresses/read-address.ts'
import type { Engine } from '../../engine/engine.ts'
import type { FirstLook, InitOptions } from '../../facades/cli/product.ts'
import type { Executor, ReplicaState } from '../../ports/executor.ts'
import { BUILT_IN_CONNECTORS } from '../built-in.ts'
import { composeEngine } from '../compose.ts'
import { composeExecutor } from '../compose-executor.ts'
import { type Config, type ConfigInputs, loadConfig } from '../config/config.ts'
import type { SettingName } from '../config/settings.ts'
import { choiceOfTenant } from './tenant-choice.ts'

/** Facts about a database, and the settings that follow from them. */
export interface Discovered {
  readonly seen: Pick<FirstLook, 'database' | 'engine' | 'tenants' | 'chosen' | 'currencies' | 'base_currency'>
  /** Settings for a configuration file. */
  readonly values: Readonly<Record<string, string | readonly string[]>>
  /** The same settings as command-line options. */
  readonly options: Readonly<Record<string, string | readonly string[]>>
}

/**
 * Reads the facts about a database that its configuration needs. ConfigurationError if it has several tenants and none is named.
 * AppError `connector_unavailable`, or `unsupported_by_connector` with the command that prints missing grants.
 */
export async function discover(
  inputs: ConfigInputs,
  url: string,
  { url: argument, tenant, baseCurrency }: Pick<InitOptions, 'url' | 'tenant' | 'baseCurrency'>,
): Promise<Discovered> {
  const { executor, connector, schema } = await connectorOf(inputs, url)
  try {
    const { discover: lookAround, sourceSetting = 'tenant', type } = connector
    const setting: SettingName = `connector.${sourceSetting}`
    const given = { 'database.url': url, 'connector.type': type, [setting]: tenant, 'definitions.base_currency': baseCurrency }
    const config = loadConfig({ ...inputs, config: null, options: given })
    if (lookAround === undefined)
      throw new ConfigurationError([`connector.type: the connector "${type}" cannot inspect a database`])
    // Tenants may come from the option or from the environment.
    const wanted = namesIn(config.connector[sourceSetting])
    const found = await executor.withSnapshot((snapshot) => lookAround(snapshot, wanted))
    const choice = { connector: { ...connectorSettings(type), ...schemaSettings(connector, schema) }, setting }
    if (found.chosen.length === 0 && found.sources.length > 1)
      throw await choiceOfTenant({ ...choice, inputs, url, isArgument: argument !== undefined, sources: found.sources })
    const reached = { url, reached: config.database.url, base: config.definitions.base_currency }
    return concluded(found, await executor.state(), { ...choice, ...reached }, wanted)
  } finally {
    await executor.close()
  }
}

/** Connects to the database. The connector is the one that the environment names, else the one that recognizes the database, else the default. */
async function connectorOf(inputs: ConfigInputs, url: string) {
  // Settings of a connector are read later, when the connector is known.
  const environment = Object.fromEntries(
    Object.entries(inputs.environment).filter(([name]) => !name.startsWith('PLUMBLINE_CONNECTOR_')),
  )
  const config = loadConfig({ ...inputs, environment, config: null, options: { 'database.url': url } })
  const executor = composeExecutor(config, 1)
  try {
    const isNamed = (inputs.environment['PLUMBLINE_CONNECTOR'] ?? '') !== ''
    for (const connector of isNamed ? [] : BUILT_IN_CONNECTORS) {
      const { recognizes } = connector
      const found = recognizes !== undefined && (await executor.withSnapshot(recognizes))
      if (found === true) return { executor, connector, schema: config.database.schema }
      if (typeof found === 'string') return await inSchema(found, { executor, connector, config })
    }
    const connector = BUILT_IN_CONNECTORS.find(({ type }) => type === config.connector.type)
    if (connector === undefined)
      throw new ConfigurationError([`connector.type: the connector "${config.connector.type}" cannot inspect a database`])
    const schema = config.database.schema ?? connector.defaultSchema
    return schema === undefined ? { executor, connector, schema } : await inSchema(schema, { executor, connector, config })
  } catch (error) {
    await executor.close()
    throw error
  }
}

interface Reopened {
  readonly executor: Executor
  readonly connector: ConnectorDefinition
  readonly config: Config
}

/** The connection again, for the schema in which a connector found its tables. */
async function inSchema(schema: string, { executor, connector, config }: Reopened) {
  await executor.close()
  return { executor: composeExecutor({ ...config, database: { ...config.database, schema } }, 1), connector, schema }
}

/** The setting that names the schema, unless the connector looks there anyway. */
function schemaSettings({ defaultSchema }: ConnectorDefinition, schema: string | undefined): Readonly<Record<string, string>> {
  return schema === undefined || schema === defaultSchema || defaultSchema === undefined ? {} : { 'database.schema': schema }
}

/** The setting that names a connector. The default connector needs none. */
function connectorSettings(type: string): Readonly<Record<string, string>> {
  return type === BUILT_IN_CONNECTORS[0]?.type ? {} : { 'connector.type': type }
}

/** The database that was inspected, and how a configuration names its connector and sources. */
interface Reached {
  readonly url: string
  readonly reached: string
  readonly base: string | undefined
  readonly connector: Readonly<Record<string, string>>
  readonly setting: SettingName
}

function concluded(
  found: Discovery,
  state: ReplicaState,
  { url, reached, base, connector, setting }: Reached,
  wanted: readonly string[],
): Discovered {
  const { engine, sources, chosen, currencies } = found
  const tenants = sources.map(({ name }) => name)
  const base_currency = base ?? currencies[0]?.currency ?? 'USD'
  const [only, ...others] = sources
  const named = wanted.length > 0 ? wanted : only !== undefined && others.length === 0 ? [only.word] : []
  return {
    seen: { database: serverOf(state, reached), engine, tenants, chosen, currencies, base_currency },
    values: {
      'database.url': url,
      ...connector,
      ...(named.length === 0 ? {} : { [setting]: named.length === 1 ? String(named[0]) : named }),
      'definitions.base_currency': base_currency,
    },
    options: {
      'database.url': url,
      ...connector,
      ...(named.length === 0 ? {} : { [setting]: named }),
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

type FirstAnswers = Pick<FirstLook, 'findings' | 'mrr_cents' | 'missing' | 'mrr_by_currency'>

/** Warnings and failures of `check`, and MRR today or the reason why it cannot be computed. */
export async function firstAnswers(config: Config): Promise<FirstAnswers> {
  const { engine } = composeEngine(config)
  try {
    const findings = (await engine.check()).filter(({ level }) => level === 'warning' || level === 'failure')
    return { findings, ...(await mrrToday(engine)) }
  } finally {
    await engine.close()
  }
}

async function mrrToday(engine: Engine): Promise<Omit<FirstAnswers, 'findings'>> {
  try {
    const { data } = await engine.query('mrr')
    return { mrr_cents: typeof data === 'number' ? data : null, missing: null, mrr_by_currency: [] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const mrr_by_currency = error.code === 'missing_fx_rate' ? await byCurrency(engine) : []
    return { mrr_cents: null, missing: error.operatorDetail, mrr_by_currency }
  }
}

// Grouped by currency, figures are in the currency itself and need no rate (D14). Without prices it has no figures either, and `check` names the plans.
async function byCurrency(engine: Engine): Promise<FirstLook['mrr_by_currency']> {
  try {
    const { data } = await engine.query('mrr', {}, { dimensions: ['currency'] })
    return Array.isArray(data) ? data : []
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}
