import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folders of the programs that make the rows of the cache. The folder of the connector comes with them. */
const FOLDERS = ['src/compiler', 'src/connector-kit', 'src/core', 'src/databases', 'src/mirror', 'src/relations']

/** The folder of `src` and `connectors`, also in a build. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A program, not a declaration of types. */
const PROGRAM = /(?<!\.d)\.[jt]s$/

/**
 * A digest of the programs that make the rows of the cache with this connector. Another build of the same version may make other rows. The
 * program of a connector that is not built in does not count.
 */
export function codeDigest(connector: string, root = ROOT): string {
  const hash = createHash('sha256')
  for (const folder of [...FOLDERS, `connectors/${connector}`].map((name) => join(root, name)).filter(existsSync)) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => PROGRAM.test(name))
    for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex')
}
