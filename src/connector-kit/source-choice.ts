import { AppError, ConfigurationError } from '../core/errors.ts'
import type { CheckFinding } from './connector.ts'

/** True if the configuration chooses all current and future sources. */
export function isEverySource(wanted: readonly string[]): boolean {
  return wanted.length === 1 && wanted[0] === 'all'
}

/** How the words of a setting choose sources. */
export interface SourceChoice<Source> {
  /** The engine's word for a source, and the setting that chooses some: `tenant`. */
  readonly noun: string
  /** The name that users see, or undefined if it has none. */
  readonly nameOf: (source: Source) => string | undefined
  readonly idOf: (source: Source) => string
  /** The sources that a word names. */
  readonly find: (word: string) => readonly Source[]
}

/**
 * Sources that the configuration names. `all` is every source, and no word means the only one. ConfigurationError lists the names if the
 * choice is not clear.
 */
export function chooseSources<Source>(
  all: readonly Source[],
  wanted: readonly string[],
  choice: SourceChoice<Source>,
): readonly Source[] {
  const { noun, idOf, find } = choice
  const labels = sourceLabels(all, choice)
  if (wanted.length === 0) {
    if (all.length === 1) return all
    throw new ConfigurationError([
      all.length === 0
        ? `the engine has no ${noun} yet`
        : `connector.${noun} must name one of the ${noun}s ${labels}, a list of them, or "all"`,
    ])
  }
  if (isEverySource(wanted)) return all
  const found = wanted.map((word) => ({ word: JSON.stringify(word), named: find(word) }))
  const problems = found.flatMap(({ word, named }) => {
    if (named.length === 1) return []
    return named.length === 0
      ? [`connector.${noun}: no ${noun} ${word}; there are ${labels}${wayToCommas(all, choice)}`]
      : [`connector.${noun}: ${word} is the name of several ${noun}s; use an id: ${named.map(idOf).join(', ')}`]
  })
  if (problems.length > 0) throw new ConfigurationError(problems)
  return [...new Set(found.flatMap(({ named }) => named))]
}

/** The names of sources, in quotation marks. A name that several have is followed by the id. */
export function sourceLabels<Source>(
  all: readonly Source[],
  { nameOf, idOf }: Pick<SourceChoice<Source>, 'nameOf' | 'idOf'>,
): string {
  return all
    .map((source) => {
      const name = nameOf(source)
      if (name === undefined) return JSON.stringify(idOf(source))
      const isShared = all.filter((other) => nameOf(other) === name).length > 1
      return isShared ? `${JSON.stringify(name)} (${idOf(source)})` : JSON.stringify(name)
    })
    .join(', ')
}

// Options and variables split a list at its commas, so they cannot carry a name with a comma.
function wayToCommas<Source>(
  all: readonly Source[],
  { noun, nameOf, idOf }: Pick<SourceChoice<Source>, 'noun' | 'nameOf' | 'idOf'>,
): string {
  const source = all.find((each) => nameOf(each)?.includes(',') === true)
  if (source === undefined) return ''
  const file = `${noun} = [${JSON.stringify(nameOf(source))}]`
  return `; write a name with a comma into the configuration file, ${file}, or use the ${noun}'s id, ${idOf(source)}`
}

/** A word that an option may use for a source: its name, or its id if the name belongs to several sources or cannot be an option. */
export function sourceWord<Source>(
  source: Source,
  all: readonly Source[],
  { nameOf, idOf }: Pick<SourceChoice<Source>, 'nameOf' | 'idOf'>,
): string {
  const name = nameOf(source)
  const isUsable = name !== undefined && name.trim() === name && name !== '' && name !== 'all' && !name.includes(',')
  return isUsable && all.filter((other) => nameOf(other) === name).length === 1 ? name : idOf(source)
}

/** The finding of `check` about an engine that cannot be opened. Other errors are thrown again. */
export function refusalFinding(error: unknown): CheckFinding {
  const finding = (message: string): CheckFinding => ({ name: 'engine', level: 'failure', message })
  if (error instanceof ConfigurationError) return finding(error.problems.join('; '))
  if (error instanceof AppError && error.code === 'unsupported_by_connector') return finding(error.operatorDetail)
  throw error
}
