import { clipped } from '../core/text.ts'

const MOST_CHARACTERS = 100

/** What a value must be and what was given instead: `"at" must be a date (YYYY-MM-DD); got "foo".` */
export function mustBe(name: string, what: string, given: unknown): string {
  return `"${name}" must be ${what}; got ${shown(given)}.`
}

/** The same of a single-valued parameter that is given none or several values. */
export function mustBeOne(name: string, given: readonly unknown[]): string {
  return mustBe(name, 'one value', given)
}

/** What an operator must be given and what it was given instead: `"between" must have a list of two values; got 3.` */
export function mustHave(operator: string, what: string, given: unknown): string {
  return `"${operator}" must have ${what}; got ${shown(given)}.`
}

/** Words for a choice: `day, week or month`. */
export function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? 'nothing'
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

// As JSON, so that text and number can be told apart; its beginning, for a body may hold a megabyte.
function shown(value: unknown): string {
  return clipped(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing'), MOST_CHARACTERS)
}
