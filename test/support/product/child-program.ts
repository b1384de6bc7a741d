import { mkdir, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { ROOT, runsBuilt, TSX } from './product-command.ts'

const FOLDER = join(ROOT, 'node_modules', '.cache', 'plumbline', 'programs')
const OF_THE_PRODUCT = /^(src|connectors)[\\/]/

/**
 * The arguments with which Node runs a program of the tests that uses the product. If the product is built, the program is one file over
 * the build, which starts in a third of the time of the sources.
 */
export async function childCommand(program: string): Promise<readonly string[]> {
  if (!(await runsBuilt())) return ['--import', TSX, program]
  const known = built.get(program) ?? overBuilt(program)
  built.set(program, known)
  return [await known]
}

const built = new Map<string, Promise<string>>()

async function overBuilt(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [program],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    plugins: [
      {
        name: 'product',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, importer }) => {
            const place = relative(ROOT, resolve(dirname(importer), path))
            if (!OF_THE_PRODUCT.test(place)) return undefined
            return { path: pathToFileURL(join(ROOT, 'dist', place.replace(/\.ts$/, '.js'))).href, external: true }
          }),
      },
    ],
  })
  const file = join(FOLDER, `${basename(program, '.ts')}.mjs`)
  await mkdir(FOLDER, { recursive: true })
  // Another process that starts the program at this moment reads either file, which are equal.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, outputFiles.map(({ text }) => text).join(''))
  await rename(draft, file)
  return file
}
