import { homedir } from 'node:os'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { colocationProblem } from './config/colocation.ts'
import { absolutePlace, absoluteUrl, isSamePlace } from './config/directories.ts'
import { type Given, givenInEnvironment, givenInFile, givenInOptions } from './config/given.ts'
import { configSchema, storeConfigSchema } from './config/sections.ts'
import { SECTION_NAMES, SETTINGS, type SettingName, settingNamed } from './config/settings.ts'
import { findFile } from './config/toml-file.ts'
import { ConfigurationError } from './core/errors.ts'

export { starterFile } from './config/starter-file.ts'

/** What the configuration is read from. Only `processInputs` takes it from the process. */
export interface ConfigInputs {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string | undefined
  /** `--config`: a file instead of the ones that are searched for. */
  readonly config?: string | undefined
  /** Command-line options by the setting they set, as text; undefined counts as absent. */
  readonly options?: Readonly<Partial<Record<SettingName, string | undefined>>>
}

interface Place {
  /** Path of the configuration file; null when there is none. */
  readonly file: string | null
}

/** The whole configuration; directories and catalog files are absolute. */
export type Config = z.infer<typeof configSchema> & Place

/** The configuration of what works without a billing database. */
export type StoreConfig = z.infer<typeof storeConfigSchema> & Place

/** Environment, working and home directory of this process. */
export function processInputs(): Pick<ConfigInputs, 'environment' | 'cwd' | 'home'> {
  // biome-ignore lint/style/noProcessEnv: the only place that reads it
  return { environment: process.env, cwd: process.cwd(), home: homedir() }
}

/** Configuration by option, environment, file and default, in this order; ConfigurationError with all problems at once. */
export function loadConfig(inputs: ConfigInputs): Config {
  return load(configSchema, inputs)
}

/** The same for commands that only need the side store: `database.url` may be absent. */
export function loadStoreConfig(inputs: ConfigInputs): StoreConfig {
  return load(storeConfigSchema, inputs)
}

function load<T extends z.infer<typeof storeConfigSchema>>(schema: z.ZodType<T>, inputs: ConfigInputs): T & Place {
  const file = findFile({ config: inputs.config, cwd: inputs.cwd, home: inputs.home })
  const readings = [
    ...(file === null ? [] : [givenInFile(file.content, file.path)]),
    givenInEnvironment(inputs.environment),
    givenInOptions(inputs.options ?? {}),
  ]
  const given = new Map(readings.flatMap((reading) => [...reading.given]))
  const problems = readings.flatMap((reading) => reading.problems)
  const parsed = schema.safeParse(nested(given))
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => problemText(issue, given)))
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems)
  const placed = inPlace(parsed.data, file === null ? inputs.cwd : dirname(file.path))
  // On PostgreSQL the side store has a schema of its own; anywhere else the two would share tables or a directory.
  if (isSamePlace(placed.database.url, placed.store.url) && !placed.store.url.startsWith('postgres')) {
    throw new ConfigurationError(['store.url: must not be the billing database itself; give the side store a place of its own'])
  }
  const apart = placed.store.colocated ? colocationProblem(placed.database.url, placed.store.url) : undefined
  if (apart !== undefined) throw new ConfigurationError([apart])
  return { ...placed, file: file?.path ?? null }
}

function nested(given: ReadonlyMap<string, Given>): Record<string, Record<string, unknown>> {
  const values: Record<string, Record<string, unknown>> = Object.fromEntries(SECTION_NAMES.map((section) => [section, {}]))
  for (const setting of SETTINGS) {
    const found = given.get(setting.name)
    if (found !== undefined) values[setting.section] = { ...values[setting.section], [setting.key]: found.value }
  }
  return values
}

// Never the value itself: it may be a secret.
function problemText(issue: z.core.$ZodIssue, given: ReadonlyMap<string, Given>): string {
  const name = issue.path.slice(0, 2).join('.')
  const source = given.get(name)?.source
  const variable = settingNamed(name)?.environment
  const place = source === undefined ? ` (or ${variable})` : ` (from ${source})`
  const item = typeof issue.path[2] === 'number' ? `item ${issue.path[2] + 1} ` : ''
  return `${name}${place}: ${item}${issue.message}`
}

function inPlace<T extends z.infer<typeof storeConfigSchema>>(config: T, base: string): T {
  const { url } = config.database
  const { catalog } = config.connector
  return {
    ...config,
    database: { ...config.database, ...(url === undefined ? {} : { url: absoluteUrl(url, base) }) },
    connector: {
      ...config.connector,
      ...(catalog === undefined ? {} : { catalog: catalog.map((place) => absolutePlace(place, base)) }),
    },
    store: { ...config.store, url: absoluteUrl(config.store.url, base) },
  }
}
