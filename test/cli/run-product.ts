import { createProduct } from '../../src/bin/product.ts'
import { runCli } from '../../src/cli/main.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line on the real product in a working directory. */
export async function runProduct(cwd: string, argv: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const io = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    stop: new AbortController().signal,
  }
  const code = await runCli(argv, io, createProduct({ environment, cwd, home: undefined }))
  return { code, stdout, stderr }
}
