import type { Token } from './lexer.ts'

const END_OF_JOIN: ReadonlySet<string> = new Set(
  'left right inner cross join where group order having window union limit'.split(' '),
)

const HAS_OR = 'DuckDB compares every pair of rows for `or` in an outer join: write coalesce(a, b), or a case expression'
const NAMES_ONE_SIDE =
  'DuckDB compares every pair of rows if a condition of an outer join does not name the joined table: write x = case when … then y end'

/**
 * Conditions of outer joins for which DuckDB has no hash join, each with its reason, by the index of a token. Every condition has to name
 * the joined table and must not contain `or`.
 */
export function outerJoinReasons(tokens: readonly Token[]): ReadonlyMap<number, string> {
  const words = tokens.map((token) => token.text.toLowerCase())
  const reasons = new Map<number, string>()
  for (const [index, word] of words.entries()) {
    const isOuter = word === 'left' && (words[index + 1] === 'join' || words[index + 1] === 'outer')
    const on = isOuter ? wordAtTop(words, index + 1, (found) => found === 'on') : undefined
    if (on === undefined) continue
    const joined = words[on - 1] ?? ''
    for (const condition of conditionsOf(words, on + 1)) {
      const or = condition.find((place) => words[place] === 'or')
      const isNamed = condition.some((place) => words[place] === joined && words[place + 1] === '.')
      if (or !== undefined) reasons.set(or, HAS_OR)
      else if (!isNamed) reasons.set(condition[0] ?? on, NAMES_ONE_SIDE)
    }
  }
  return reasons
}

/** Indexes of the words of each condition, without the insides of case expressions that cannot hold an `or` of the condition. */
function conditionsOf(words: readonly string[], start: number): readonly (readonly number[])[] {
  const end = wordAtTop(words, start, (word) => END_OF_JOIN.has(word)) ?? endOfParenthesis(words, start)
  const conditions: number[][] = [[]]
  let depth = 0
  let cases = 0
  let isBetween = false
  for (let place = start; place < end; place++) {
    const word = words[place] ?? ''
    if (word === '(') depth++
    if (word === ')') depth--
    if (word === 'case') cases++
    if (word === 'end') cases--
    if (word === 'between') isBetween = true
    const isAnd = word === 'and' && depth === 0 && cases === 0
    if (isAnd && !isBetween) conditions.push([])
    else if (cases === 0 || word !== 'or') conditions.at(-1)?.push(place)
    if (isAnd) isBetween = false
  }
  return conditions
}

/** Index of the first word outside parentheses that satisfies `test`, before the parenthesis around `start` closes. */
function wordAtTop(words: readonly string[], start: number, test: (word: string) => boolean): number | undefined {
  const end = endOfParenthesis(words, start)
  let depth = 0
  for (let place = start; place < end; place++) {
    const word = words[place] ?? ''
    if (word === '(') depth++
    if (word === ')') depth--
    if (depth === 0 && test(word)) return place
  }
  return undefined
}

/** Index of the parenthesis that closes around `start`, else the number of words. */
function endOfParenthesis(words: readonly string[], start: number): number {
  let depth = 0
  for (let place = start; place < words.length; place++) {
    if (words[place] === '(') depth++
    if (words[place] === ')') depth--
    if (depth < 0) return place
  }
  return words.length
}
