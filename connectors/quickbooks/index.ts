import { definePlatform } from '../../src/connector-kit/index.ts'
import { createPlatform } from './platform.ts'
import { SETTINGS } from './settings.ts'

/** The definition of QuickBooks Online for configurations. */
export const quickbooks = definePlatform({
  type: 'quickbooks',
  settings: SETTINGS,
  create: (settings) => createPlatform(settings),
})
