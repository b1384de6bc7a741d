import { readFileSync, statSync } from 'node:fs'
import * as z from 'zod'
import { suggest } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { regularVariable, SECTION_NAMES, type Setting } from './settings.ts'

/** The value of a setting and its source: the name of an option, a variable or a file. */
export interface GivenValue {
  readonly value: unknown
  readonly source: string
}

/** The values of one source by setting name, and its problems. */
interface SourceReading {
  readonly given: ReadonlyMap<string, GivenValue>
  readonly problems: readonly string[]
}

/** Settings in a parsed file. Unknown sections and keys are problems. */
export function settingsInFile(
  content: Readonly<Record<string, unknown>>,
  path: string,
  settings: readonly Setting[],
): SourceReading {
  const given = new Map<string, GivenValue>()
  const problems: string[] = []
  for (const [section, values] of Object.entries(content)) {
    const known = settings.filter((each) => each.section === section).map((each) => each.key)
    if (known.length === 0) problems.push(`${path}: unknown section ${section}${hint(section, SECTION_NAMES)}`)
    else if (!isTable(values)) problems.push(`${path}: ${section} must be a section, written [${section}]`)
    else {
      for (const [key, value] of Object.entries(values)) {
        const setting = settings.find((each) => each.section === section && each.key === key)
        if (setting !== undefined) given.set(setting.name, { value: tomlValue(setting, value), source: path })
        else problems.push(`${path}: unknown key ${key} in section ${section}${hint(key, known)}`)
      }
    }
  }
  return { given, problems }
}

/** Added to the name of a variable, this means a file with its value. */
const FILE = '_FILE'
/** Most bytes of such a file. */
const MOST_BYTES = 65_536

/**
 * Settings in the environment. `<variable>_FILE` names a file with the value, as secrets are mounted into containers. An empty variable counts as
 * absent. An unknown variable that begins with PLUMBLINE_ is a problem.
 */
export function settingsInEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly Setting[],
): SourceReading {
  const given = new Map<string, GivenValue>()
  const problems: string[] = []
  for (const setting of settings) {
    const { name, environment: variable } = setting
    const [text, path] = [variable, variable + FILE].map((each) => environment[each] ?? '')
    if (text && path) problems.push(`${variable} and ${variable}${FILE} are both set; give one of them`)
    else if (text) given.set(name, { value: fromText(setting, text), source: variable })
    else if (path) {
      const read = contentOf(path)
      if ('problem' in read) problems.push(`${variable}${FILE}: ${path} ${read.problem}`)
      else given.set(name, { value: fromText(setting, read.text), source: `${variable}${FILE}` })
    }
  }
  const known = settings.flatMap(({ environment: variable }) => [variable, variable + FILE])
  for (const name of Object.keys(environment).sort()) {
    if (name.startsWith('PLUMBLINE_') && !known.includes(name))
      problems.push(`${name} is not a setting${variableHint(name, settings)}`)
  }
  return { given, problems }
}

/** Names of settings on the command line that differ from `--<key>`. */
const WORDS: Readonly<Record<string, string>> = {
  'database.url': 'the address given',
  'definitions.base_currency': '--base-currency',
}

/** Settings on the command line: text, or a list whose items may contain commas. */
export function settingsInOptions(
  options: Readonly<Record<string, string | readonly string[] | undefined>>,
  settings: readonly Setting[],
): SourceReading {
  const given = new Map<string, GivenValue>()
  for (const setting of settings) {
    const option = options[setting.name]
    if (option === undefined) continue
    const value = typeof option === 'string' ? fromText(setting, option) : option
    given.set(setting.name, { value, source: WORDS[setting.name] ?? `--${setting.key}` })
  }
  return { given, problems: [] }
}

// Text that does not fit the kind stays text, and the schema refuses it.
function fromText(setting: Setting, text: string): unknown {
  switch (setting.kind) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
    case 'date':
      return dateOf(text) ?? text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'list':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    case 'table':
      return tableOf(text) ?? text
    case 'text':
      return text
  }
}

// Undefined if an entry has no `=`, or if a key occurs twice.
function tableOf(text: string): Readonly<Record<string, string>> | undefined {
  const entries = text
    .split(',')
    .filter((item) => item.trim() !== '')
    .map(
      (item) =>
        /^([^=]*)=(.*)$/s
          .exec(item)
          ?.slice(1)
          .map((part) => part.trim()) ?? [],
    )
  const table = Object.fromEntries(entries.map(([key = '', value = '']) => [key, value]))
  const isWhole = entries.every(({ length }) => length === 2) && Object.keys(table).length === entries.length
  return isWhole ? table : undefined
}

// TOML has a type for instants. For a setting of another kind they become text.
function tomlValue({ kind }: Setting, value: unknown): unknown {
  if (kind === 'date') return typeof value === 'string' ? (dateOf(value) ?? value) : value
  return value instanceof Date ? value.toISOString() : value
}

/** A day (its start in UTC), or an instant with a zone. */
function dateOf(text: string): Date | undefined {
  const parsed = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text)
  return parsed.success ? new Date(parsed.data) : undefined
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !(value instanceof Date)
}

function hint(word: string, known: readonly string[]): string {
  return `${nearHint(word, known) ?? '.'} Known: ${known.join(', ')}`
}

// The list of all variables is long, so it is shown only if no name is similar.
function variableHint(name: string, settings: readonly Setting[]): string {
  const exception = settings.find((setting) => regularVariable(setting.name) === name)
  if (exception !== undefined) return `; did you mean ${exception.environment}?`
  const known = settings.map((setting) => setting.environment)
  return nearHint(name, known) ?? `. Known: ${known.join(', ')}`
}

function nearHint(word: string, known: readonly string[]): string | undefined {
  const near = suggest(word, known)
  return near.length > 0 ? `; did you mean ${near.join(' or ')}?` : undefined
}

/** The text of a file, without the line break at its end. The problem never quotes the text. */
function contentOf(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const about = statSync(path)
    if (!about.isFile()) return { problem: 'is no file' }
    if (about.size > MOST_BYTES) return { problem: `is larger than ${MOST_BYTES} bytes` }
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return text === '' ? { problem: 'is empty' } : { text }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    return { problem: `cannot be read (${code})` }
  }
}
