import * as z from 'zod'
import { readableAddress } from '../core/addresses.ts'
import { ConfigurationError } from '../core/errors.ts'
import type { GrantRequest } from '../core/grant-request.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { DatabaseConnector } from './connector.ts'

/** What a billing database holds, for who has no configuration yet. */
export interface Discovery {
  /** The engine and its version. */
  readonly engine: string
  /** All of its sources, by the names that a configuration gives them. */
  readonly sources: readonly string[]
  /** Those that are meant: the ones named, else the only one, else none. */
  readonly chosen: readonly string[]
  /** Customers of these by currency, the most frequent first. */
  readonly currencies: readonly { readonly currency: string; readonly customers: number }[]
}

/** What a connector tells before there is a configuration; both may be absent. */
interface FirstSteps {
  /** Looks around in a database; AppError `unsupported_by_connector` with what is missing, ConfigurationError for an unknown source. */
  readonly discover?: (snapshot: Snapshot, sources: readonly string[]) => Promise<Discovery>
  /** Statements that let a role read what the connector reads; AppError `invalid_value`. */
  readonly grants?: (request: GrantRequest) => readonly string[]
}

/** A kind of billing engine as a configuration names it. */
export interface ConnectorDefinition extends FirstSteps {
  /** `connector.type`. */
  readonly type: string
  /** The other keys of the section `connector`. Each has a description, which is what the starter file says of it; `meta({ example })` shows a value. */
  readonly settings: z.ZodObject
  /** The connector with the settings of the section; ConfigurationError names those that do not fit. */
  create(section: Readonly<Record<string, unknown>>): DatabaseConnector
}

/** A frozen definition: `create` gets the settings as their schema reads them. */
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

/** A kind of accounting platform as a configuration names it. */
export interface PlatformDefinition<Settings extends z.ZodObject = z.ZodObject> {
  /** Type of its sources and name of its section of the configuration. */
  readonly type: string
  /** The keys of that section. Each has a description, which is what the starter file says of it. */
  readonly settings: Settings
  /** The platform with the settings of its section; ConfigurationError names those that do not fit. */
  create(section: unknown): AccountingPlatform
}

/** A frozen definition: `create` gets the settings as their schema reads them. */
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

/** One text or a list of texts, read as a list; in the environment they are separated by commas. */
export const oneOrMore = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error: 'must be text or a list of texts' })
  .transform((given) => [given].flat())

/** Files and addresses: paths count from the place of the configuration file. Refuses addresses that cannot be read, without quoting them. */
export const places = oneOrMore
  .superRefine((given, check) => {
    for (const place of given) readableAddress(place, check)
  })
  .meta({ isPlace: true })
