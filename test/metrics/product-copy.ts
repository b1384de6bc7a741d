import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../src/core/package-root.ts'

export interface ProductCopy {
  /** A module of the copy by its path. */
  load<Module>(path: string): Promise<Module>
  remove(): Promise<void>
}

/** A copy of the product with added files; a path that the product already has is refused. */
export async function copyProduct(added: Readonly<Record<string, string>>): Promise<ProductCopy> {
  const root = await mkdtemp(join(tmpdir(), 'plumbline-copy-'))
  for (const part of ['src', 'connectors', 'sql', 'package.json', 'test/support'])
    await cp(join(packageRoot(), part), join(root, part), { recursive: true })
  for (const linked of ['node_modules', 'fixtures', 'docs']) await symlink(join(packageRoot(), linked), join(root, linked))
  for (const [path, text] of Object.entries(added)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text, { flag: 'wx' })
  }
  return {
    load: (path) => import(pathToFileURL(join(root, path)).href),
    remove: () => rm(root, { recursive: true }),
  }
}
