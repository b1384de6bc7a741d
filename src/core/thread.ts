import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { buildSync } from 'esbuild'
import { once } from './async.ts'

/** Starts a new thread with this data. */
type StartThread = (workerData: unknown) => Worker

interface ThreadOptions {
  /** Packages with a native library that the program uses. */
  readonly native?: readonly string[]
}

/** First line of a program that the build has bundled. */
const BUNDLED = '// One file with all packages.'

/**
 * The program `<name>` for threads, in the folder of the module `caller`, given by its URL. It is read now, with everything that it imports.
 * So threads that start later run the same program, even if another installation has taken its place.
 */
export function threadProgram(name: string, caller: string, { native = [] }: ThreadOptions = {}): StartThread {
  const extension = extname(caller)
  const program = new URL(`${name}${extension}`, caller)
  const text = extension === '.ts' ? fromSource(program) : fromBuild(program)
  const beginning = requireOf(caller, native)
  return (workerData) => new Worker(`${beginning}${text()}`, { eval: true, workerData })
}

/** A build has bundled the program (test/config/bundle-threads.js). */
function fromBuild(program: URL): () => string {
  const text = readFileSync(program, 'utf8')
  if (!text.startsWith(BUNDLED)) throw new Error(`The installation is incomplete: ${fileURLToPath(program)} is not bundled.`)
  return () => text
}

// A thread does not inherit the TypeScript loader of the process, and starting another loader takes longer than starting the thread.
function fromSource({ href }: URL): () => string {
  return once(() => {
    const esbuild = createRequire(href)('esbuild') as { readonly buildSync: typeof buildSync }
    const { outputFiles } = esbuild.buildSync({
      entryPoints: [fileURLToPath(href)],
      bundle: true,
      packages: 'external',
      platform: 'node',
      write: false,
    })
    return outputFiles.map((file) => file.text).join('')
  })
}

/**
 * The beginning of a program: a `require` that takes native libraries from this process. A library that the process has loaded is found by the
 * name of its file, even if the file has been replaced.
 */
function requireOf(caller: string, native: readonly string[]): string {
  const load = createRequire(caller)
  for (const name of native) load(name)
  const files = native.length === 0 ? [] : Object.keys(load.cache).filter((file) => file.endsWith('.node'))
  const libraries = Object.fromEntries(files.map((file) => [packageOf(file) ?? file, file]))
  return `'use strict';
require = ((load, libraries) => (name) => {
  if (libraries[name] === undefined) return load(name)
  const library = { exports: {} }
  process.dlopen(library, libraries[name])
  return library.exports
})(require('node:module').createRequire(${JSON.stringify(caller)}), ${JSON.stringify(libraries)});
`
}

/** The package of a file in `node_modules`. */
function packageOf(file: string): string | undefined {
  return /^.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(file)?.[1]?.replace('\\', '/')
}
