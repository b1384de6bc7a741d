import type { Engine } from '../../../engine/engine.ts'
import { type Invocation, optionValue } from '../command.ts'

/** Runs work on the configured engine and closes it; exit code 0. */
export async function withEngine({ input, product }: Invocation, work: (engine: Engine) => Promise<void>): Promise<number> {
  const opened = await product.open({ config: optionValue(input, 'config') })
  try {
    await work(opened.engine)
    return 0
  } finally {
    await opened.close()
  }
}
