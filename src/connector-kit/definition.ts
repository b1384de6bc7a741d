import * as z from 'zod'
import { readableAddress } from '../core/addresses.ts'
import { ConfigurationError } from '../core/errors.ts'
import type { GrantRequest } from '../core/grant-request.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { DatabaseConnector } from './connector.ts'

/** A source of a billing database that has no configuration yet. */
export interface DiscoveredSource {
  readonly id: string
  readonly name: string
  /** A word that an option may use for the source: it names no other source and has no comma. */
  readonly word: string
  /** Customers that have or had a subscription. */
  readonly customers: number
}

/** The contents of a billing database, for `init`, which has no configuration yet. */
export interface Discovery {
  /** The engine and its version. */
  readonly engine: string
  /** All sources of the database. */
  readonly sources: readonly DiscoveredSource[]
  /**
   * The sources that the caller named. If the caller named no source, the only source of the database, or none if there are
   * several.
   */
  readonly chosen: readonly string[]
  /** Customers of the chosen sources by currency, the most frequent first. */
  readonly currencies: readonly { readonly currency: string; readonly customers: number }[]
}

/** Parts of a connector that need no configuration. All are optional. */
interface FirstSteps {
  /** The setting that chooses the sources, which `init --tenant` writes. Default: `tenant`. */
  readonly sourceSetting?: string
  /** The schema of the tables on PostgreSQL, if no setting names one. Absent: the first one of the role. */
  readonly defaultSchema?: string
  /** True if a database is one of this engine, or the schema with its tables. `init` asks the connectors with this function first. */
  readonly recognizes?: (snapshot: Snapshot) => Promise<boolean | string | undefined>
  /** Inspects a database. AppError `unsupported_by_connector` with the missing parts, ConfigurationError for an unknown source. */
  readonly discover?: (snapshot: Snapshot, sources: readonly string[]) => Promise<Discovery>
  /** Statements that grant a role the right to read the connector's tables. AppError `invalid_value`. */
  readonly grants?: (request: GrantRequest) => readonly string[]
}

/** A kind of billing engine, as a configuration names it. */
export interface ConnectorDefinition extends FirstSteps {
  /** `connector.type`. */
  readonly type: string
  /** The other keys of the section `connector`. The starter file prints the description of each. `meta({ example })` sets an example value. */
  readonly settings: z.ZodObject
  /** The connector with the settings of the section. ConfigurationError names those that do not fit. */
  create(section: Readonly<Record<string, unknown>>): DatabaseConnector
}

/** Freezes the definition. `create` receives the settings as their schema reads them. */
export function defineConnector<Settings extends z.ZodObject>(
  definition: FirstSteps & {
    readonly type: string
    readonly settings: Settings
    readonly create: (settings: z.output<Settings>) => DatabaseConnector
  },
): ConnectorDefinition {
  const { type, settings, create, ...firstSteps } = definition
  return Object.freeze({
    ...firstSteps,
    type,
    settings,
    create(section: Readonly<Record<string, unknown>>) {
      const parsed = settings.safeParse(section)
      if (parsed.success) return create(parsed.data)
      throw new ConfigurationError(parsed.error.issues.map(({ path, message }) => `connector.${path.join('.')}: ${message}`))
    },
  })
}

/** A kind of accounting platform, as a configuration names it. */
export interface PlatformDefinition<Settings extends z.ZodObject = z.ZodObject> {
  /** Type of its sources and name of its section in the configuration. */
  readonly type: string
  /** The keys of that section. The starter file prints the description of each. */
  readonly settings: Settings
  /** The platform with the settings of its section. ConfigurationError names those that do not fit. */
  create(section: unknown): AccountingPlatform
}

/** Freezes the definition. `create` receives the settings as their schema reads them. */
export function definePlatform<Settings extends z.ZodObject>(definition: {
  readonly type: string
  readonly settings: Settings
  readonly create: (settings: z.output<Settings>) => AccountingPlatform
}): PlatformDefinition<Settings> {
  const { type, settings, create } = definition
  return Object.freeze({
    type,
    settings,
    create(section: unknown) {
      const parsed = settings.safeParse(section)
      if (parsed.success) return create(parsed.data)
      throw new ConfigurationError(parsed.error.issues.map(({ path, message }) => `${type}.${path.join('.')}: ${message}`))
    },
  })
}

/** One text or a list of texts, read as a list. An environment variable separates them by commas. */
export const oneOrMore = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error: 'must be text or a list of texts' })
  .transform((given) => [given].flat())

/** Files and addresses. Paths are relative to the configuration file. Refuses addresses that cannot be read, without quoting them. */
export const places = oneOrMore
  .superRefine((given, check) => {
    for (const place of given) readableAddress(place, check)
  })
  .meta({ isPlace: true })
