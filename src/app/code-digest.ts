import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../core/package-root.ts'

/** The folders of the programs that make the rows of the cache and of the lake. The folder of the connector comes with them. */
const FOLDERS = [
  'src/compiler',
  'src/connector-kit',
  'src/core',
  'src/databases',
  'src/cache/held',
  'src/cache/lake',
  'src/cache/mirror',
  'src/relations',
]

/** The folders of `src` that only ask the engine, and show its answers. */
const SURFACES: readonly string[] = ['client', 'facades', 'web']

/** The folder of `src` and `connectors`, also in a build. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A digest of the programs that make the rows of the cache with this connector. Another build of the same version may make other rows. The
 * program of a connector that is not built in does not count.
 */
export function codeDigest(connector: string, root = ROOT): string {
  const hash = createHash('sha256')
  for (const folder of [...FOLDERS, `connectors/${connector}`]) addFiles(hash, join(root, folder), isProgram)
  return hash.digest('hex')
}

/**
 * A digest of everything installed that makes an answer with this connector: the programs in `root`, the SQL in `sqlRoot`, and the version of
 * Node.js, which has the time zones.
 */
export function buildDigest(connector: string, root = ROOT, sqlRoot = packageRoot()): string {
  const hash = createHash('sha256').update(process.version)
  addFiles(hash, join(root, 'src'), (name) => isProgram(name) && !SURFACES.includes(name.split(sep, 1)[0] ?? ''))
  addFiles(hash, join(root, 'connectors', connector), isProgram)
  for (const folder of ['sql', `connectors/${connector}`]) addFiles(hash, join(sqlRoot, folder), isSql)
  return hash.digest('hex')
}

/** A program, not a declaration of types. */
const isProgram = (name: string) => /(?<!\.d)\.[jt]s$/.test(name)
const isSql = (name: string) => name.endsWith('.sql')

/** Adds the counted files of a folder and of the folders in it, by their names in it. An absent folder has none. */
function addFiles(hash: Hash, folder: string, isCounted: (name: string) => boolean): void {
  if (!existsSync(folder)) return
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isCounted)
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
}
