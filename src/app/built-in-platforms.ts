import { quickbooks } from '../../connectors/quickbooks/index.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'
import type { Config } from './config/config.ts'

/** The sections of a configuration that belong to the product's own accounting platforms. */
export const PLATFORM_SECTIONS = { quickbooks: quickbooks.settings }

/** The product's own accounting platforms with their settings, also those that lack what connecting needs. */
export function builtInPlatforms(config: Pick<Config, keyof typeof PLATFORM_SECTIONS>): readonly AccountingPlatform[] {
  return [quickbooks.create(config.quickbooks)]
}
