import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from './async.ts'

/** Absolute path of the package's root folder, whether the code runs from `src/` or from `dist/src/`. */
export const packageRoot: () => string = once(() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('The installation is incomplete: no package.json above the program.')
    folder = parent
  }
  return folder
})

/** Version of the package that the process started with. */
export const packageVersion: () => string = once(() => {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
})
