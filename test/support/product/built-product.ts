import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'

/** The last file that `npm run build` makes. */
const LAST = join('dist', 'src', 'facades', 'http', 'docs-assets', 'swagger-ui-dist.NOTICE')
const SOURCES = [
  'src',
  'connectors',
  join('docs', 'openapi'),
  'package.json',
  join('test', 'config', 'tsconfig.build.json'),
  join('test', 'config', 'bundle-threads.js'),
]

/** Whether `dist` is what `npm run build` would make now: a run of the tests behind a build need not build again. */
export async function isBuilt(): Promise<boolean> {
  const built = await changedAt(join(packageRoot(), LAST)).catch(() => 0)
  const changes = await Promise.all(SOURCES.map((source) => lastChange(join(packageRoot(), source))))
  return Math.max(...changes) <= built
}

async function lastChange(path: string): Promise<number> {
  const information = await stat(path)
  if (!information.isDirectory()) return information.mtimeMs
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const times = await Promise.all(files.map((entry) => changedAt(join(entry.parentPath, entry.name))))
  return Math.max(...times)
}

async function changedAt(path: string): Promise<number> {
  return (await stat(path)).mtimeMs
}
