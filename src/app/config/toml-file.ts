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

/** The places to search for a configuration file. `config` names the file instead; null means no file. */
interface FileSearch {
  readonly config: string | null | undefined
  readonly cwd: string
  readonly home: string | undefined
}

/**
 * The named file, else the first file in the searched directories, else null. Files are not merged. ConfigurationError if the named file
 * is missing, or if the file cannot be read, is not TOML, or is above the working directory in a place where others could have put it.
 */
export function findFile(search: FileSearch): TomlFile | null {
  const { config, cwd } = search
  if (config === null) return null
  if (config !== undefined) {
    const path = resolve(cwd, config)
    const found = readIfThere(path)
    if (found === null) throw new ConfigurationError([`${path}: file not found`])
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

/** The searched directories: the working directory, its parents, the home directory. */
export function searched({ cwd, home }: Pick<FileSearch, 'cwd' | 'home'>): readonly string[] {
  const directories = [resolve(cwd)]
  for (let last = resolve(cwd); dirname(last) !== last; last = dirname(last)) directories.push(dirname(last))
  return home === undefined || directories.includes(home) ? directories : [...directories, home]
}

/**
 * Refuses a file above the working directory that another user could have written, such as in the directory of temporary files. That user
 * could choose the database and receive the password. Files of root are trusted, unless everyone can
 * write them.
 */
function refuseForeign(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  const user = process.getuid?.()
  if (found === undefined || user === undefined) return
  const isForeign = found.uid !== user && found.uid !== 0
  const isOpen = (found.mode & OTHERS_WRITE) !== 0
  if (!isForeign && !isOpen) return
  const why = isForeign ? 'belongs to another user' : 'is writable by everyone'
  throw new ConfigurationError([`${path} ${why}, so it is not used; if you trust it, name it with --config ${path}`])
}

function readIfThere(path: string): TomlFile | null {
  const text = textOf(path)
  if (text === null) return null
  try {
    return { path, content: parse(text) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The rest of the message quotes the file, which may contain passwords.
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

/** The message for a missing billing database: the file without it or the searched directories, and the commands to run. */
export function whereToStart(
  search: FileSearch,
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const looked =
    file === undefined
      ? `there is no plumbline.toml in ${searched(search).join(', ')}`
      : `${file} has no url in its section [database]`
  // The value is not shown, because it may contain a password.
  const other =
    (environment[FALLBACK] ?? '') === '' ? '' : `; ${FALLBACK} is not the address of a PostgreSQL, MySQL, MariaDB or Trino server`
  return `${looked}${other}; \`plumbline init postgres://user:password@host/database\` (or mysql://…, trino://…) writes one; \`plumbline --demo summary\` uses sample data`
}
