import * as nodeModule from 'node:module'
import { processInputs } from '../config/process-inputs.ts'

/** Runs a command line of this process. */
export async function start(argv: readonly string[]): Promise<void> {
  keepCompiledCode()
  const [{ processIo }, { runCli }, { createProduct }] = await Promise.all([
    import('../../facades/cli/io.ts'),
    import('../../facades/cli/main.ts'),
    import('./product.ts'),
  ])
  const inputs = processInputs()
  process.exitCode = await runCli(argv, processIo(inputs.environment), createProduct(inputs))
}

// Node 22.8 and later can cache compiled code between runs, in NODE_COMPILE_CACHE or a temporary directory.
function keepCompiledCode(): void {
  if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function') nodeModule.enableCompileCache()
}
