import { execFile } from 'node:child_process'
import { copyFile, cp, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../../src/core/package-root.ts'
import { isBuilt } from './built-product.ts'

const run = promisify(execFile)

/** The parts of an installation, without its packages. */
const PARTS = ['dist', 'docs/openapi', 'sql', 'connectors', 'examples', 'package.json']

/** An installation of the product as `npm ci --omit=dev && npm run build` makes it, in a separate place. */
export interface Installation {
  readonly root: string
  /** Puts other programs and other SQL in the place of these, as an upgrade does. A process that reads one of them fails. */
  replace(): Promise<void>
  remove(): Promise<void>
}

/** Builds the product if it is not, and installs it. */
export async function install(): Promise<Installation> {
  const from = packageRoot()
  if (!(await isBuilt())) await run('npm', ['run', 'build'], { cwd: from, maxBuffer: 2 ** 24 })
  const root = await mkdtemp(join(tmpdir(), 'pl-installed-'))
  for (const part of PARTS) await cp(join(from, part), join(root, part), { recursive: true })
  for (const name of await runtimePackages(from)) await linkAll(join(from, name), join(root, name))
  return {
    root,
    async replace() {
      for (const part of [...PARTS.filter((name) => name !== 'package.json'), 'node_modules'])
        for (const file of await filesIn(join(root, part))) {
          // A file of node_modules has another name in this repository, so it must not be changed in place.
          await rm(file)
          await writeFile(file, /\.[cm]?js$/.test(file) ? 'throw new Error("another installation")\n' : 'another installation\n')
        }
      await rm(join(root, 'package.json'))
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** Folders of the packages that `npm ci --omit=dev` installs. */
async function runtimePackages(root: string): Promise<readonly string[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>
  }
  const names = Object.entries(packages).flatMap(([name, { dev, devOptional }]) =>
    name === '' || dev || devOptional ? [] : [name],
  )
  const present = await Promise.all(
    names.map(async (name) => ((await readdir(join(root, name)).catch(() => [])).length > 0 ? [name] : [])),
  )
  return present.flat()
}

async function linkAll(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const copy = join(to, path.slice(from.length))
    if (!entry.isFile() || path.slice(from.length).includes('/node_modules/')) continue
    await mkdir(dirname(copy), { recursive: true })
    // Another disk takes no link.
    await link(path, copy).catch(() => copyFile(path, copy))
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
