import { suggest } from '../../core/errors.ts'
import { isShown } from './split-url.ts'

/** The parameters of an address while they are read: what nobody takes is refused by name. */
export interface Parameters {
  /** The value of a parameter; undefined where it is absent or empty. */
  text(name: string): string | undefined
  /** One of some words; another is a problem that lists them. */
  word<T extends string>(name: string, words: readonly T[]): T | undefined
  wholeNumber(name: string, least: number, most: number): number | undefined
  /** `true`, `false`, `1`, `0`, `on` or `off`. */
  flag(name: string): boolean | undefined
  problem(text: string): void
  readonly problems: readonly string[]
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, on: true, false: false, '0': false, off: false }

/** Begins the reading; `known` are all names that the address may have, `canonical` says what another spelling of a name means. */
export function readParameters(
  given: readonly (readonly [string, string])[],
  known: readonly string[],
  canonical: (name: string) => string = (name) => name,
): Parameters {
  const problems: string[] = []
  const values = new Map<string, string>()
  for (const [spelled, value] of given) {
    const name = canonical(spelled)
    if (!known.includes(name)) problems.push(unknown(spelled, known))
    else if (values.has(name)) problems.push(`has the parameter ${name} twice`)
    else values.set(name, value)
  }
  const text = (name: string) => values.get(name) || undefined
  const judged = <T>(name: string, value: T | undefined, expected: string): T | undefined => {
    if (value === undefined && text(name) !== undefined) problems.push(`has a parameter ${name} that is not ${expected}`)
    return value
  }
  return {
    problems,
    problem: (problem) => void problems.push(problem),
    text,
    word: (name, words) =>
      judged(
        name,
        words.find((word) => word === text(name)),
        `one of ${words.join(', ')}`,
      ),
    wholeNumber(name, least, most) {
      const given = text(name)
      const number = given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined
      const isWithin = number !== undefined && number >= least && number <= most
      return judged(name, isWithin ? number : undefined, `a whole number from ${least} to ${most}`)
    },
    flag: (name) => judged(name, FLAGS[text(name)?.toLowerCase() ?? ''], 'true or false'),
  }
}

function unknown(name: string, known: readonly string[]): string {
  if (!isShown(name)) return `has a parameter whose name cannot be shown; known: ${known.join(', ')}`
  const [near] = suggest(name, known)
  return `has the unknown parameter ${name}${near === undefined ? '.' : `, did you mean ${near}?`} Known: ${known.join(', ')}`
}
