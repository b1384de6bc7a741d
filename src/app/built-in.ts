import type * as z from 'zod'
import { killbill } from '../../connectors/killbill/index.ts'
import { quickbooks } from '../../connectors/quickbooks/index.ts'
import type { ConnectorDefinition } from '../connector-kit/definition.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'

/** The product's own connectors; the first is the one that is meant when a configuration names none. */
export const BUILT_IN_CONNECTORS: readonly ConnectorDefinition[] = Object.freeze([killbill])

/** The sections of a configuration that belong to the product's own accounting platforms. */
export const PLATFORM_SECTIONS = { quickbooks: quickbooks.settings }

/** What those sections hold once they are read. */
type PlatformSettings = { readonly [S in keyof typeof PLATFORM_SECTIONS]: z.infer<(typeof PLATFORM_SECTIONS)[S]> }

/** The built-in accounting platforms. A platform without credentials is included; it cannot connect. */
export function builtInPlatforms(config: PlatformSettings): readonly AccountingPlatform[] {
  return [quickbooks.create(config.quickbooks)]
}
