import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createProduct } from '../../src/app/bin/product.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { runCli } from '../../src/facades/cli/main.ts'
import { DEMO_PICTURE, pictureOf } from '../support/product/demo-picture.ts'

// Draws the picture of the README: npx tsx test/bench/demo-picture.ts
let stdout = ''
const io = {
  stdout: { write: (text: string) => (stdout += text) },
  stderr: process.stderr,
  stop: new AbortController().signal,
}
process.exitCode = await runCli(['demo', '--once'], io, createProduct())
await writeFile(join(packageRoot(), DEMO_PICTURE), pictureOf(stdout))
