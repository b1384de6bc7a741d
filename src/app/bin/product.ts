import { once } from '../../core/async.ts'
import { packageVersion } from '../../core/package-root.ts'
import type { Product } from '../../facades/cli/product.ts'
import { type ProcessInputs, processInputs } from '../config/process-inputs.ts'
import { readOutline } from './outline.ts'

/**
 * The product behind the command line, configured from the process by default. Its parts load on demand, so that help and refusals
 * appear at once.
 */
export function createProduct(inputs: ProcessInputs = processInputs()): Product {
  const version = packageVersion()
  const parts = once(() => import('./parts.ts'))
  return {
    version,
    outline: readOutline,
    metrics: async () => (await parts()).BUILT_IN_METRICS,
    open: async (options) => (await parts()).open(inputs, options, version),
    openStore: async ({ config }) => (await parts()).openConfiguredStore(inputs, config),
    openDemo: async (options) => (await parts()).openDemo(options, version),
    openDemoStore: async (options) => (await parts()).openDemoStore(options),
    init: async (options) => (await parts()).initialise(inputs, options),
    grants: async (request) => (await parts()).grants(request, inputs),
  }
}
