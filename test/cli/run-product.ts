import { createProduct } from '../../src/app/bin/product.ts'
import { runCli } from '../../src/facades/cli/main.ts'
import type { Product } from '../../src/facades/cli/product.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line on the real product in a working directory. */
export function runProduct(cwd: string, argv: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  return runOver(createProduct({ environment, cwd, home: undefined }), argv)
}

/** Runs a command line on a product that the caller has made, so that several command lines can share what it opens. */
export async function runOver(product: Product, argv: readonly string[]): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const io = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    stop: new AbortController().signal,
  }
  const code = await runCli(argv, io, product)
  return { code, stdout, stderr }
}
