import type { Books, Native } from './company-books.ts'

/** Entities whose query shows active records only, unless it says otherwise. */
const LISTS = ['Vendor', 'Account', 'Item', 'Customer', 'Class', 'Department']

const GRAMMAR =
  /^select (?<what>\*|count\(\*\)|Id) from (?<entity>\w+)(?: where (?<where>.+?))?(?: order ?by (?<order>[\w.]+)(?<desc> desc)?)?(?: startposition (?<start>\d+))?(?: maxresults (?<max>\d+))?$/i
const MEMBERSHIP = /^(\w+) in \((.+)\)$/i
const COMPARISON = /^([\w.]+) ?(<=|>=|=|<|>) ?'([^']*)'$/

/** The query is not of Intuit's language, as far as it is known here. */
export class QueryError extends Error {}

/** Answers a query as the public reference describes: 100 rows unless more are asked for, never more than 1,000. */
export function answerQuery(books: Books, query: string): Native {
  const parts = GRAMMAR.exec(query.trim())?.groups
  if (parts === undefined) throw new QueryError(query)
  const { entity = '', where = '', order, desc, what } = parts
  const conditions = where === '' ? [] : where.split(/ and /i).map(condition)
  const isRestricted = LISTS.includes(entity) && !/\bactive\b/i.test(where)
  const found = books
    .all(entity)
    .filter((native) => conditions.every((holds) => holds(native)))
    .filter((native) => !isRestricted || native['Active'] !== false)
  if (order !== undefined) found.sort((a, b) => compare(read(a, order), read(b, order)) * (desc === undefined ? 1 : -1))
  if (what?.startsWith('count') === true) return { totalCount: found.length }
  const start = Number(parts['start'] ?? 1)
  const page = found.slice(start - 1, start - 1 + Math.min(Number(parts['max'] ?? 100), 1000))
  const shown = what === '*' ? page : page.map(({ Id }) => ({ Id, domain: 'QBO', sparse: true }))
  return page.length === 0 ? {} : { [entity]: shown, startPosition: start, maxResults: page.length }
}

function condition(text: string): (native: Native) => boolean {
  const membership = MEMBERSHIP.exec(text)
  if (membership !== null) {
    const [, field = '', list = ''] = membership
    const values = list.split(',').map((value) => value.trim().replaceAll("'", ''))
    return (native) => values.includes(read(native, field))
  }
  const [, field = '', operator, value = ''] = COMPARISON.exec(text) ?? []
  if (operator === undefined) throw new QueryError(text)
  return (native) => {
    const order = compare(read(native, field), value)
    return operator.includes('=') && order === 0 ? true : operator.includes('<') ? order < 0 : operator.includes('>') && order > 0
  }
}

function read(native: Native, path: string): string {
  return String(path.split('.').reduce<unknown>((value, key) => Object(value)[key], native) ?? '')
}

function compare(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b)
  const isInstant = /T\d\d:/.test(a) && /T\d\d:/.test(b)
  if (isInstant) return Date.parse(a) - Date.parse(b)
  return a < b ? -1 : a > b ? 1 : 0
}
