import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../../src/core/package-root.ts'
import { isBuilt } from '../../support/product/built-product.ts'
import type { ImageLayout, Perform } from './image-layout.ts'

const run = promisify(execFile)
const ROOT = packageRoot()

type Place = Parameters<Perform>[1]

/** Does the work of the Dockerfile's commands without a network: packages are those of this repository's installation, by links. */
export const performHere: Perform = async (command, place) => {
  for (const part of command.split(' && ')) await performOne(part, place)
}

async function performOne(command: string, place: Place): Promise<void> {
  const [program = '', ...words] = command.split(' ')
  const { root, directory } = place
  const at = join(root, directory)
  if (command === 'npm ci --ignore-scripts') await symlink(join(ROOT, 'node_modules'), join(at, 'node_modules'))
  else if (command === 'npm ci --omit=dev --ignore-scripts') await linkProduction(at)
  else if (command === 'npm run build') await build(at)
  else if (program === 'rm' && words[0] === '-rf') await removeLinks(at, words.slice(1))
  else if (program === 'install' && words[0] === '-d') await mkdir(join(root, words.at(-1) ?? ''), { recursive: true })
  else throw new Error(`the layout cannot do "${command}"`)
}

/** Environment of a program of the image: its own, and a folder for temporary files. Packages are found where the links are, not where they lead. */
export function environmentOf({ root, environment }: Pick<ImageLayout, 'root' | 'environment'>): Record<string, string> {
  return { ...environment, PATH: '', HOME: join(root, 'data'), TMPDIR: join(root, 'tmp'), NODE_OPTIONS: '--preserve-symlinks' }
}

/** A path of the image as one of this machine; other words are left. */
export function inLayout(word: string, root: string): string {
  return word.startsWith('/') ? join(root, word) : word
}

// Links the packages of this system that the lock file does not list as development dependencies.
async function linkProduction(at: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(at, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
  }
  for (const [path, { dev }] of Object.entries(packages)) {
    const isTop = path.lastIndexOf('node_modules/') === 0
    if (!isTop || dev === true || !existsSync(join(ROOT, path))) continue
    await mkdir(dirname(join(at, path)), { recursive: true })
    await symlink(join(ROOT, path), join(at, path))
  }
}

async function removeLinks(at: string, patterns: readonly string[]): Promise<void> {
  for (const pattern of patterns) {
    const removed = (await listed(at, pattern)).map((name) => rm(resolve(at, name)))
    await Promise.all(removed)
  }
}

async function listed(at: string, pattern: string): Promise<readonly string[]> {
  const { stdout } = await run('/bin/sh', ['-c', `ls -d ${pattern} 2>/dev/null || true`], { cwd: at })
  return stdout.split('\n').filter((name) => name !== '')
}

async function build(at: string): Promise<void> {
  if (await isBuilt()) await cp(join(ROOT, 'dist'), join(at, 'dist'), { recursive: true })
  else await run('npm', ['run', '--silent', 'build'], { cwd: at })
}
