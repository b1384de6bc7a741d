import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { ConfigurationError } from '../core/errors.ts'

const FILE_NAME = 'plumbline.toml'

/** A configuration file that was found and read. */
export interface TomlFile {
  readonly path: string
  readonly content: Readonly<Record<string, unknown>>
}

/** Where a configuration file may be: named by the user, else in one of two directories. */
export interface FileSearch {
  readonly config: string | undefined
  readonly cwd: string
  readonly home: string | undefined
}

/** The named file, else the one in the working directory, else the one in the home directory, else null. ConfigurationError
 * when the named file is missing, or the first one found cannot be read or is not TOML. */
export function findFile({ config, cwd, home }: FileSearch): TomlFile | null {
  if (config !== undefined) {
    const path = resolve(cwd, config)
    const found = readIfThere(path)
    if (found === null) throw new ConfigurationError([`${path}: there is no such file`])
    return found
  }
  return readIfThere(join(cwd, FILE_NAME)) ?? (home === undefined ? null : readIfThere(join(home, FILE_NAME)))
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
