import { type CommandInput, UsageError } from './command.ts'
import type { Product } from './product.ts'

/** The product over a copy of the sample data, for `--demo`; what a command writes there ends with it. UsageError beside `--config`. */
export function onSampleData(product: Product, input: CommandInput): Product {
  if (input.values.has('config')) throw new UsageError(['--demo takes no configuration: leave out --config or --demo'])
  return {
    ...product,
    open: product.openDemo,
    openStore: product.openDemoStore,
    init: async () => {
      throw new UsageError(['the demo needs no configuration: leave out --demo to write one for a database of your own'])
    },
  }
}
