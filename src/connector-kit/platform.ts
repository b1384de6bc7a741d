import type * as z from 'zod'
import { ConfigurationError } from '../core/errors.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'

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
