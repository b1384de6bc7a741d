import type * as z from 'zod'
import { killbill } from '../../connectors/killbill/index.ts'
import { lago } from '../../connectors/lago/index.ts'
import { quickbooks } from '../../connectors/quickbooks/index.ts'
import { stripe } from '../../connectors/stripe/index.ts'
import type { ConnectorDefinition } from '../connector-kit/definition.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'

/** The built-in connectors. The first is the default. */
export const BUILT_IN_CONNECTORS: readonly [ConnectorDefinition, ...ConnectorDefinition[]] = [killbill, lago, stripe]

/** The configuration sections of the built-in accounting platforms. */
export const PLATFORM_SECTIONS = { quickbooks: quickbooks.settings }

/** The parsed sections. */
type PlatformSettings = { readonly [S in keyof typeof PLATFORM_SECTIONS]: z.infer<(typeof PLATFORM_SECTIONS)[S]> }

/** The built-in accounting platforms. A platform without credentials is included; it cannot connect. */
export function builtInPlatforms(config: PlatformSettings): readonly AccountingPlatform[] {
  return [quickbooks.create(config.quickbooks)]
}
