import { dirname, resolve } from 'node:path'
import type * as z from 'zod'
import type { ConnectorDefinition } from '../../connector-kit/definition.ts'
import { ConfigurationError } from '../../core/errors.ts'
import { serverKind } from '../../databases/addresses/read-address.ts'
import { BUILT_IN_CONNECTORS } from '../built-in.ts'
import { type AddressSources, fillAddresses } from './addresses.ts'
import { connectorSettingsOf, type DatabaseTable, lakeDatabaseProblems } from './lake-databases.ts'
import { absolutePlace, absoluteUrl, colocationProblem, isSamePlace, NOWHERE, userCacheDirectory } from './places.ts'
import type { ProcessInputs } from './process-inputs.ts'
import { configSchema, storeConfigSchema } from './sections.ts'
import { type GivenValue, settingsInEnvironment, settingsInFile, settingsInOptions } from './setting-sources.ts'
import { SECTION_NAMES, type Setting, type SettingName, settingsOf } from './settings.ts'
import { type StarterValues, shortFile, starterFile as starterFileOf } from './starter-file.ts'
import { findFile, whereToStart } from './toml-file.ts'

export { processInputs } from './process-inputs.ts'

/** Everything that the configuration is read from. `processInputs` reads it from the process. */
export interface ConfigInputs extends ProcessInputs {
  /** `--config`: a file to use instead of searching for one; null for no file at all. */
  readonly config?: string | null | undefined
  /** Command-line options by setting, as text or as a parsed list. Undefined counts as absent. */
  readonly options?: Readonly<Partial<Record<SettingName, string | readonly string[] | undefined>>>
}

interface Place {
  /** Path of the configuration file; null if there is none. */
  readonly file: string | null
  /** Sources of the addresses of database and store. */
  readonly addresses: AddressSources
  /** The user's directory for caches; null if the user has no home directory. */
  readonly userCache: string | null
}

/** The whole configuration; directories and catalog files are absolute. `isSample`: the demo, which needs no setup. */
export type Config = z.infer<typeof configSchema> & Place & { readonly isSample?: boolean }

/** The configuration of commands that need no billing database. */
export type StoreConfig = z.infer<typeof storeConfigSchema> & Place

/** Reads the configuration from options, environment, file and defaults, in this order. ConfigurationError with all problems. */
export function loadConfig(inputs: ConfigInputs, connectors: readonly ConnectorDefinition[] = []): Config {
  return load(configSchema, inputs, connectors)
}

/** Like `loadConfig`, for commands that need only the side store: `database.url` may be absent. */
export function loadStoreConfig(inputs: ConfigInputs, connectors: readonly ConnectorDefinition[] = []): StoreConfig {
  return load(storeConfigSchema, inputs, connectors)
}

/**
 * Text of a new `plumbline.toml` with these values: with `full` every setting, including those of the connector that the values name, by
 * default the first, and of added connectors. Otherwise only the essential settings.
 */
export function starterFile(
  connectors: readonly ConnectorDefinition[] = [],
  { values = {}, full = true }: { readonly values?: StarterValues; readonly full?: boolean } = {},
): string {
  const named = values['connector.type'] ?? BUILT_IN_CONNECTORS[0]?.type
  const builtIn = BUILT_IN_CONNECTORS.filter(({ type }) => type === named)
  return (full ? starterFileOf : shortFile)([...builtIn, ...connectors], values)
}

/**
 * `own` connectors are added to the built-in connectors. An own connector replaces a built-in connector of its type. Settings of
 * unknown connectors are not validated.
 */
function load<T extends z.infer<typeof storeConfigSchema>>(
  schema: z.ZodType<T>,
  inputs: ConfigInputs,
  own: readonly ConnectorDefinition[],
): T & Place {
  const connectors = [...own, ...BUILT_IN_CONNECTORS]
  const search = { config: inputs.config, cwd: inputs.cwd, home: inputs.home }
  const file = findFile(search)
  const read = (settings: readonly Setting[]) => readAll(settings, inputs, file)
  const type = typeIn(read(settingsOf(connectors)).given)
  // Connectors may share keys. The named connector decides how a shared key is read.
  const settings = settingsOf([...connectors.filter((each) => each.type === type), ...connectors])
  const { given, problems } = read(settings)
  const addresses = fillAddresses(given, inputs)
  const parsed = schema.safeParse(nested(given, settings))
  if (!parsed.success) {
    problems.push(...parsed.error.issues.map((issue) => problemText(issue, given, settings)))
    if (!given.has('database.url')) problems.push(whereToStart(search, file?.path, inputs.environment))
  }
  const connector = readConnectorSection(type, settingsGiven(given), connectors)
  const tables = readDatabaseTables(type, parsed.data?.lake.databases, connectors)
  problems.push(...tables.problems)
  problems.push(...connector.problems.map((issue) => problemText(issue, given, settings)))
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems)
  const lake = { ...parsed.data.lake, ...(tables.databases !== undefined && { databases: tables.databases }) }
  const whole = { ...parsed.data, lake, connector: { ...connector.section, type } }
  const placed = inPlace(whole, file === null ? inputs.cwd : dirname(file.path), settings)
  // On PostgreSQL the side store has its own schema. Elsewhere the two would share tables or a directory.
  if (isSamePlace(placed.database.url, placed.store.url) && !placed.store.url.startsWith('postgres')) {
    throw new ConfigurationError([
      'store.url: must not be the billing database; use a separate database or file for the side store',
    ])
  }
  if (placed.auth.enabled && placed.store.url === 'none') {
    throw new ConfigurationError(['auth.enabled: needs a side store for API keys and the audit log, but store.url is none'])
  }
  const ofDatabases = placed.database.url === undefined ? [] : lakeDatabaseProblems(placed as Config, [...given.keys()])
  if (ofDatabases.length > 0) throw new ConfigurationError([...ofDatabases])
  const notColocated = placed.store.colocated ? colocationProblem(placed.database.url, placed.store.url) : undefined
  if (notColocated !== undefined) throw new ConfigurationError([notColocated])
  if (placed.cache.mode === 'on' && serverKind(placed.database.url ?? '') === 'trino')
    throw new ConfigurationError(['cache.mode: on is not possible, because Trino answers without a cache'])
  return { ...placed, file: file?.path ?? null, addresses, userCache: userCacheDirectory(inputs) }
}

function readAll(settings: readonly Setting[], { environment, options = {} }: ConfigInputs, file: ReturnType<typeof findFile>) {
  const readings = [
    ...(file === null ? [] : [settingsInFile(file.content, file.path, settings)]),
    settingsInEnvironment(environment, settings),
    settingsInOptions(options, settings),
  ]
  const given = new Map(readings.flatMap((reading) => [...reading.given]))
  return { given, problems: readings.flatMap((reading) => reading.problems) }
}

function typeIn(given: ReadonlyMap<string, GivenValue>): string {
  return storeConfigSchema.shape.connector.parse({ type: textOr(given.get('connector.type')?.value) }).type
}

// Other types are refused with the rest of the configuration.
function textOr(given: unknown): string | undefined {
  return typeof given === 'string' && given !== '' ? given : undefined
}

function nested(given: ReadonlyMap<string, GivenValue>, settings: readonly Setting[]): Record<string, Record<string, unknown>> {
  const values: Record<string, Record<string, unknown>> = Object.fromEntries(SECTION_NAMES.map((section) => [section, {}]))
  for (const setting of settings) {
    const found = given.get(setting.name)
    if (found !== undefined) values[setting.section] = { ...values[setting.section], [setting.key]: found.value }
  }
  return values
}

// Does not quote the value, because it may be a secret.
function problemText(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string },
  given: ReadonlyMap<string, GivenValue>,
  settings: readonly Setting[],
): string {
  const name = issue.path.slice(0, 2).join('.')
  const source = given.get(name)?.source
  const variable = settings.find((setting) => setting.name === name)?.environment
  const place = source === undefined ? ` (or ${variable})` : ` (from ${source})`
  const item = typeof issue.path[2] === 'number' ? `item ${issue.path[2] + 1} ` : ''
  // The set and its option.
  const inner =
    name === 'definitions.sets'
      ? issue.path
          .slice(2)
          .map((part) => `.${String(part)}`)
          .join('')
      : ''
  return `${name}${inner}${place}: ${item}${issue.message}`
}

function inPlace<T extends z.infer<typeof storeConfigSchema>>(config: T, base: string, settings: readonly Setting[]): T {
  const { url, token_file } = config.database
  const { directory } = config.cache
  const { publish_url, publish_token_file } = config.lake
  const placesIn = (section: Readonly<Record<string, unknown>>) =>
    settings.flatMap(({ section: name, key, isPlace }) => {
      const value = name === 'connector' && isPlace ? section[key] : undefined
      return Array.isArray(value) ? [[key, value.map((place) => absolutePlace(String(place), base))] as const] : []
    })
  const databases = config.lake.databases?.map((table) => ({ ...table, ...Object.fromEntries(placesIn(table)) }))
  return {
    ...config,
    database: {
      ...config.database,
      ...(url === undefined ? {} : { url: absoluteUrl(url, base) }),
      ...(token_file === undefined ? {} : { token_file: resolve(base, token_file) }),
    },
    connector: { ...config.connector, ...Object.fromEntries(placesIn(config.connector)) },
    store: { ...config.store, url: absoluteUrl(config.store.url, base) },
    lake: {
      ...config.lake,
      ...(databases !== undefined && { databases }),
      ...(publish_url === undefined ? {} : { publish_url: absoluteUrl(publish_url, base) }),
      ...(publish_token_file === undefined ? {} : { publish_token_file: resolve(base, publish_token_file) }),
    },
    cache: {
      ...config.cache,
      ...(directory === undefined || directory === NOWHERE ? {} : { directory: resolve(base, directory) }),
    },
  }
}

/** A problem with the settings of a connector: an unknown key or an invalid value. */
interface SectionProblem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The section `connector`, parsed with the schema of its connector. For an unknown connector it stays as given. */
function readConnectorSection(
  type: string,
  values: Readonly<Record<string, unknown>>,
  connectors: readonly ConnectorDefinition[],
): { readonly section: Readonly<Record<string, unknown>>; readonly problems: readonly SectionProblem[] } {
  const settings = connectors.find((connector) => connector.type === type)?.settings
  if (settings === undefined) return { section: values, problems: [] }
  const foreign = Object.keys(values).filter((key) => !Object.hasOwn(settings.shape, key))
  const parsed = settings.safeParse(values)
  return {
    section: parsed.success ? parsed.data : {},
    problems: [
      ...foreign.map((key) => problem(['connector', key], `the connector "${type}" has no such setting`)),
      ...(parsed.error?.issues ?? []).map(({ path, message }) => problem(['connector', ...path], message)),
    ],
  }
}

/** The settings of the section `connector` without its type. */
function settingsGiven(given: ReadonlyMap<string, GivenValue>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...given].flatMap(([name, { value }]) => {
      const [section, key = ''] = name.split('.')
      return section === 'connector' && key !== 'type' ? [[key, value] as const] : []
    }),
  )
}

/** The databases of `lake.databases`, with the settings of the connector as its schema reads them. */
function readDatabaseTables(
  type: string,
  tables: readonly DatabaseTable[] | undefined,
  connectors: readonly ConnectorDefinition[],
): { readonly databases: DatabaseTable[] | undefined; readonly problems: readonly string[] } {
  const read = tables?.map((table) => ({ table, ...readConnectorSection(type, connectorSettingsOf(table), connectors) }))
  return {
    databases: read?.map(({ table: { name, schema }, section }) => ({ ...section, name, schema })),
    problems: (read ?? []).flatMap(({ table, problems }) =>
      problems.map(({ path, message }) => `lake.databases: ${table.name}: ${path.slice(1).join('.')}: ${message}`),
    ),
  }
}

function problem(path: readonly PropertyKey[], message: string): SectionProblem {
  return { path, message }
}
