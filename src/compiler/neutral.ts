import { isBlank, type Token, tokenize } from './lexer.ts'
import { outerJoinReasons } from './outer-join.ts'
import { isReserved } from './reserved-words.ts'
import type { TemplateProblem } from './template-node.ts'
import { hasTextArguments } from './text-arguments.ts'

/** Words that neutral SQL must not use, each with its replacement. */
const BANNED_WORDS: Readonly<Record<string, string>> = {
  interval: 'its literals differ: join relation.period, or write fn.add_period(t, months, days)',
  current_date: 'the clock supplies the moment: declare a parameter',
  current_time: 'the clock supplies the moment: declare a parameter',
  current_timestamp: 'the clock supplies the moment: declare a parameter',
  localtime: 'the clock supplies the moment: declare a parameter',
  localtimestamp: 'the clock supplies the moment: declare a parameter',
  lateral: 'MariaDB has none: use a window function in a CTE',
  qualify: 'neither database has it: filter on a window function in an outer select',
  ilike: 'PostgreSQL only: write fn.like(fn.lower(x), pattern) with a lower-case pattern',
  similar: 'PostgreSQL only: write fn.like or regexp_replace',
  rlike: 'MySQL only: write fn.like',
  regexp: 'MySQL only: write fn.like',
  recursive: 'calendars come from relation.period; other recursion is not portable in speed',
  materialized: 'PostgreSQL only',
  nulls: '`nulls first` is unknown to MySQL: order by a case expression',
  except: 'unknown to MySQL before 8.0.31: use not in or an anti-join',
  intersect: 'unknown to MySQL before 8.0.31: use in or a join',
  values: 'row constructors differ: use an inline relation, or select … union all',
  returning: 'the billing database is never written to',
  straight_join: 'MySQL only',
  div: 'MySQL only: write fn.int_div(a, b)',
  collate: 'collation names differ: the dialect and inline relations take care of text',
}

/** Functions that databases treat differently, each with its replacement. Functions not listed here or below are refused without advice. */
const BANNED_FUNCTIONS: Readonly<Record<string, string>> = {
  now: 'the clock supplies the moment: declare a parameter',
  curdate: 'the clock supplies the moment: declare a parameter',
  sysdate: 'the clock supplies the moment: declare a parameter',
  utc_timestamp: 'the clock supplies the moment: declare a parameter',
  date_trunc: 'PostgreSQL only: write fn.month_start(t) or join relation.period',
  date_format: 'MySQL only: write fn.month_start(t), fn.text(t) or join relation.period',
  to_char: 'PostgreSQL only: write fn.text(x)',
  extract: 'its type differs: write fn.months_between(a, b) or join relation.period',
  year: 'MySQL only: write fn.months_between(a, b) or join relation.period',
  month: 'MySQL only: write fn.months_between(a, b) or join relation.period',
  date_add: 'MySQL only: write fn.add_period(t, months, days)',
  date_sub: 'MySQL only: write fn.add_period(t, months, days)',
  timestampdiff: 'MySQL only: write fn.microseconds_between(a, b) or fn.months_between(a, b)',
  datediff: 'MySQL only: write fn.day_number(t)',
  filter: 'unknown to MySQL: write sum(case when … then 1 else 0 end)',
  avg: 'its digits differ: select sum and count and divide in TypeScript',
  div: 'PostgreSQL only: write fn.int_div(a, b)',
  greatest: 'a null argument is skipped by PostgreSQL and wins on MySQL: write case when',
  least: 'a null argument is skipped by PostgreSQL and wins on MySQL: write case when',
  ifnull: 'MySQL only: write coalesce(a, b)',
  if: 'MySQL only: write case when',
  lower: 'write fn.lower(x)',
  length: 'counts bytes on MySQL and characters on PostgreSQL: write char_length(x)',
  group_concat: 'MySQL only: fold rows in TypeScript',
  string_agg: 'PostgreSQL only: fold rows in TypeScript',
  array_agg: 'PostgreSQL only: fold rows in TypeScript',
  bool_or: 'PostgreSQL only: write max(case when … then 1 else 0 end)',
  bool_and: 'PostgreSQL only: write min(case when … then 1 else 0 end)',
  json_extract: 'write fn.json_text(doc, path)',
  json_value: 'write fn.json_text(doc, path)',
}

/** Functions tested to behave alike, and keywords that may precede a parenthesis. */
const NEUTRAL_BEFORE_PARENTHESIS: ReadonlySet<string> = new Set(
  `count sum min max coalesce nullif concat replace trim lpad substr char_length round abs sign floor mod cast regexp_replace
  row_number rank dense_rank lag lead first_value last_value over
  all and as between by case distinct else exists from having in join like not on or select then union using when where`.split(
    /\s+/,
  ),
)

/** Type names for CAST on all databases. Other types have a replacement below. */
const CAST_TYPES: ReadonlySet<string> = new Set(['date', 'decimal'])
const CAST_ADVICE: Readonly<Record<string, string>> = {
  text: 'write fn.text(x)',
  char: 'write fn.text(x)',
  varchar: 'write fn.text(x)',
  integer: 'write fn.integer(x)',
  int: 'write fn.integer(x)',
  bigint: 'write fn.integer(x)',
  signed: 'write fn.integer(x)',
  unsigned: 'write fn.integer(x)',
}

/** Signs that all databases read alike. */
const SIGNS = '(),.*+-=<>%'

const SIGN_REASONS: Readonly<Record<string, string>> = {
  '::': 'PostgreSQL only: give the parameter a type, or write fn.text(x), fn.integer(x)',
  '||': 'MySQL reads it as OR: write concat(fn.text(a), fn.text(b))',
  '/': '5 / 2 is 2 on PostgreSQL and 2.5 on MySQL and DuckDB: write fn.int_div(a, b), or divide in TypeScript',
  '!': 'write <>',
}

/** Finds SQL that not all databases understand, or that they understand differently. Each problem has a reason. */
export function scanNeutralSql(file: string, text: string): TemplateProblem[] {
  const all = tokenize(text)
  const tokens = all.filter((token) => !isBlank(token))
  const castTypes = new Set(tokens.flatMap((_, index) => castType(tokens, index) ?? []))
  const joins = outerJoinReasons(tokens)
  const reasons = [
    ...tokens.map((token, index) => [token, reasonAgainst(tokens, index, castTypes) ?? joins.get(index)] as const),
    ...all.map((token, index) => [token, layoutReason(token, all[index + 1])] as const),
  ]
  return reasons.flatMap(([token, reason]) =>
    reason === undefined
      ? []
      : [{ file, line: token.line, column: token.column, message: `${token.text.slice(0, 40)}: ${reason}` }],
  )
}

function reasonAgainst(tokens: readonly Token[], index: number, castTypes: ReadonlySet<number>): string | undefined {
  const token = tokens[index]
  switch (token?.kind) {
    case 'quoted':
      return 'quotation marks differ: use plain snake_case names'
    case 'string':
      return token.text.includes('\\') ? 'MySQL reads a backslash in a literal as an escape' : undefined
    case 'punct':
      return signReason(tokens, index)
    case 'word':
      if (castTypes.has(index)) return castReason(tokens, index)
      return tokens[index - 1]?.text === '.' ? undefined : wordReason(tokens, index)
    default:
      return undefined
  }
}

function signReason(tokens: readonly Token[], index: number): string | undefined {
  const [sign = '', next, afterNext] = textsFrom(tokens, index)
  if (sign === '<' && next === '=' && afterNext === '>') return 'MySQL only: write fn.null_safe_equal(a, b)'
  if (sign === '-' && next === '>') return 'JSON operators differ: write fn.json_text(doc, path)'
  return SIGNS.includes(sign) ? undefined : (SIGN_REASONS[sign] ?? 'not an operator on both databases')
}

function wordReason(tokens: readonly Token[], index: number): string | undefined {
  const [word = '', next, afterNext] = textsFrom(tokens, index)
  const before = tokens[index - 1]?.text.toLowerCase()
  const isName =
    (before === 'as' && next !== '(') || ((before === 'with' || before === ',') && next === 'as' && afterNext === '(')
  if (isName && isReserved(word)) return 'a reserved word of PostgreSQL or MySQL: choose another name'
  if (word === 'full' && (next === 'join' || next === 'outer'))
    return 'unknown to MySQL: stack the rows of both sides with union all'
  if (word === 'distinct' && next === 'on') return 'PostgreSQL only: number the rows with row_number() in a CTE'
  if (word === 'distinct' && before === 'is') return 'PostgreSQL only: write fn.null_safe_equal(a, b)'
  if (word === 'distinct' && before === 'not') return 'PostgreSQL only: write fn.null_safe_equal(a, b)'
  if (word === 'regexp_replace') return anchorReason(tokens, index)
  if (word === 'round' && next === '(') return roundReason(tokens, index)
  if (word === 'concat' && next === '(' && !hasTextArguments(tokens, index + 1))
    return 'Trino concatenates texts only: write fn.text(x) for each argument that is not a literal'
  if (Object.hasOwn(BANNED_WORDS, word)) return BANNED_WORDS[word]
  if (next !== '(' || NEUTRAL_BEFORE_PARENTHESIS.has(word)) return undefined
  return Object.hasOwn(BANNED_FUNCTIONS, word)
    ? BANNED_FUNCTIONS[word]
    : 'not on the list of functions known to behave alike on all databases'
}

/** DuckDB's decimals, as many digits as 128 bits hold. */
const MOST_DIGITS = 38

function castReason(tokens: readonly Token[], index: number): string | undefined {
  const [type = '', , digits] = textsFrom(tokens, index)
  if (type === 'decimal' && Number(digits) > MOST_DIGITS)
    return `DuckDB's decimals end at ${MOST_DIGITS} digits: pack fewer digits`
  if (CAST_TYPES.has(type)) return undefined
  return `a cast to it does not mean the same on both sides: ${CAST_ADVICE[type] ?? 'give the parameter a type instead'}`
}

/** Index of the type name if a cast begins at `index`. */
function castType(tokens: readonly Token[], index: number): number | undefined {
  const [word, next] = textsFrom(tokens, index)
  if (word !== 'cast' || next !== '(') return undefined
  const as = findInside(tokens, index + 1, (token) => token.text.toLowerCase() === 'as')
  return as === undefined ? undefined : as + 1
}

function anchorReason(tokens: readonly Token[], index: number): string | undefined {
  const comma = findInside(tokens, index + 1, (token) => token.text === ',')
  const pattern = comma === undefined ? undefined : tokens[comma + 1]
  if (pattern?.kind === 'string' && (pattern.text.startsWith("'^") || pattern.text.endsWith("$'"))) return undefined
  return 'replaces the first match on PostgreSQL and all on MySQL: write a literal pattern that begins with ^ or ends with $'
}

function roundReason(tokens: readonly Token[], index: number): string | undefined {
  const comma = findInside(tokens, index + 1, (token) => token.text === ',')
  if (comma === undefined || (tokens[comma + 1]?.kind === 'number' && tokens[comma + 2]?.text === ')')) return undefined
  return 'DuckDB rounds to a literal number of digits only: compare with half a unit, or write a case of casts to one decimal type'
}

/** Index of the first token directly inside the parenthesis at `open` that satisfies `test`. */
function findInside(tokens: readonly Token[], open: number, test: (token: Token) => boolean): number | undefined {
  let depth = 0
  for (const [offset, token] of tokens.slice(open).entries()) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (depth === 0) return undefined
    if (depth === 1 && test(token)) return open + offset
  }
  return undefined
}

/** Reasons that depend on white space and comments. */
function layoutReason(token: Token, next: Token | undefined): string | undefined {
  if (token.kind === 'word' && next?.kind === 'string') return 'prefixes of literals differ'
  if (token.kind === 'line_comment' && !/^--(\s|$)/.test(token.text))
    return 'MySQL takes -- for a comment only when white space follows'
  if (token.kind === 'block_comment' && token.text.indexOf('/*', 2) >= 0) return 'PostgreSQL nests comments and MySQL does not'
  return undefined
}

function textsFrom(tokens: readonly Token[], index: number): string[] {
  return tokens.slice(index, index + 3).map((token) => token.text.toLowerCase())
}
