import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { ConfigurationError } from '../../core/errors.ts'
import { FALLBACK } from './addresses.ts'

const FILE_NAME = 'plumbline.toml'
const OTHERS_WRITE = 0o002

/** A configuration file that was found and read. */
interface TomlFile {
  readonly path: string
  readonly content: Readonly<Record<string, unknown>>
}

/** Where a configuration file may be: named by the user, else in one of several directories; null: none is wanted. */
interface FileSearch {
  readonly config: string | null | undefined
  readonly cwd: string
  readonly home: string | undefined
}

/**
 * The named file, else the first of the directories searched, else null; files are not merged. ConfigurationError when the named file
 * is missing, or the first one found cannot be read, is not TOML, or stands above the working directory where others may have put it.
 */
export function findFile(search: FileSearch): TomlFile | null {
  const { config, cwd } = search
  if (config === null) return null
  if (config !== undefined) {
    const path = resolve(cwd, config)
    const found = readIfThere(path)
    if (found === null) throw new ConfigurationError([`${path}: there is no such file`])
    return found
  }
  for (const directory of searched(search)) {
    const path = join(directory, FILE_NAME)
    if (directory !== resolve(cwd) && directory !== search.home) refuseForeign(path)
    const found = readIfThere(path)
    if (found !== null) return found
  }
  return null
}

/** Directories in which the file is looked for: the working directory, those above it, the home directory. */
export function searched({ cwd, home }: Pick<FileSearch, 'cwd' | 'home'>): readonly string[] {
  const directories = [resolve(cwd)]
  for (let last = resolve(cwd); dirname(last) !== last; last = dirname(last)) directories.push(dirname(last))
  return home === undefined || directories.includes(home) ? directories : [...directories, home]
}

/**
 * Whoever may write above the working directory, as anybody may in that of temporary files, must not choose the database that others ask,
 * nor the address that gets their password. What the administrator of the machine has put there counts.
 */
function refuseForeign(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  const user = process.getuid?.()
  if (found === undefined || user === undefined) return
  const isForeign = found.uid !== user && found.uid !== 0
  const isOpen = (found.mode & OTHERS_WRITE) !== 0
  if (!isForeign && !isOpen) return
  const why = isForeign ? 'belongs to another user' : 'may be written by anybody'
  throw new ConfigurationError([
    `${path} ${why}, so it is not used from below; name it with --config ${path} if it is to be trusted`,
  ])
}

function readIfThere(path: string): TomlFile | null {
  const text = textOf(path)
  if (text === null) return null
  try {
    return { path, content: parse(text) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The rest of its message quotes the file, which may hold passwords.
    const [summary = ''] = error.message.split('\n')
    throw new ConfigurationError([`${path}: line ${error.line}, column ${error.column}: ${summary}`])
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new ConfigurationError([`${path}: cannot be read (${String(code)})`])
  }
}

/** What to do where no billing database is configured: which file says nothing of it, or where one was looked for, and what to run. */
export function whereToStart(
  search: FileSearch,
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const looked =
    file === undefined
      ? `there is no plumbline.toml in ${searched(search).join(', ')}`
      : `${file} has no url in its section [database]`
  // It is not shown: its text may hold a password.
  const other = (environment[FALLBACK] ?? '') === '' ? '' : `; ${FALLBACK} names no PostgreSQL, MySQL or MariaDB`
  return `${looked}${other}; \`plumbline init postgres://user:password@host/database\` (or mysql://…) writes one, \`plumbline --demo summary\` answers on sample data`
}
