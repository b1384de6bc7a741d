import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { buildSync } from 'esbuild'

/** Starts the program `name` in a new thread. The program is in the folder of the module `caller`, given by its URL. */
export function startThread(name: string, caller: string, workerData: unknown): Worker {
  const extension = extname(caller)
  const program = new URL(`${name}${extension}`, caller)
  return extension === '.ts' ? new Worker(fromSource(program), { eval: true, workerData }) : new Worker(program, { workerData })
}

const translated = new Map<string, string>()

// A thread does not inherit the TypeScript loader of the process, and starting another loader takes longer than starting the thread.
function fromSource({ href }: URL): string {
  const known = translated.get(href)
  if (known !== undefined) return known
  const esbuild = createRequire(href)('esbuild') as { readonly buildSync: typeof buildSync }
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [fileURLToPath(href)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    write: false,
    banner: { js: `require = require('node:module').createRequire(${JSON.stringify(href)});` },
  })
  const text = outputFiles.map((file) => file.text).join('')
  translated.set(href, text)
  return text
}
