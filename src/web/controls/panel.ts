import type { Question, RowsPath } from '../api/query.ts'

/** The rows behind a number: one more API call, shown in the side panel. The address holds it, so it has no functions. */
export interface Drill {
  readonly title: string
  /** Absent if no call can list the rows. `note` then says why. Its `limit` is the number of rows that belong to the number. */
  readonly question?: Question | undefined
  /** Fields to show; all by default. */
  readonly fields?: readonly string[]
  /** Field whose sum is the clicked number. The panel shows the sum. */
  readonly sum?: string
  readonly note?: string
  /**
   * Selects rows by the text of their fields if the call cannot select them. Several texts of a field are alternatives, and `ANY_VALUE`
   * stands for all texts. The call then has its own limit or none.
   */
  readonly only?: Readonly<Record<string, string | readonly string[]>>
  /** Shows the rows as several lists, one at a time. Each list has the rows with one value. The call has its own limit. */
  readonly lists?: DrillLists
  /** Name of the rule for the rows behind a number inside the panel. */
  readonly leads?: string
  /** Whether the API's sentences about why MRR changed come first. They have the filters and days of the question. */
  readonly why?: boolean
}

/** Lists of rows by the number in a field. */
export interface DrillLists {
  readonly field: string
  readonly choices: readonly { readonly value: number; readonly label: string }[]
}

/** The paths that a panel may ask. A link could name any other address. */
const PATHS: Readonly<Record<RowsPath, true>> = {
  '/api/billing-health': true,
  '/api/billing-health/findings': true,
  '/api/billing-health/notices': true,
  '/api/bills': true,
  '/api/customers': true,
  '/api/expenses/lines': true,
  '/api/invoices': true,
  '/api/invoices/ages': true,
  '/api/subscriptions/renewals': true,
  '/api/metrics/arr': true,
  '/api/metrics/churn': true,
  '/api/metrics/churn/customers': true,
  '/api/metrics/churn/revenue-events': true,
  '/api/metrics/expenses': true,
  '/api/metrics/expenses/by_account_type': true,
  '/api/metrics/expenses/by_vendor': true,
  '/api/metrics/expenses/series': true,
  '/api/metrics/ltv': true,
  '/api/metrics/ltv/arpu': true,
  '/api/metrics/ltv/cohort': true,
  '/api/metrics/mrr': true,
  '/api/metrics/mrr/breakdown': true,
  '/api/metrics/mrr/components': true,
  '/api/metrics/mrr/waterfall': true,
  '/api/metrics/mrr/why': true,
  '/api/metrics/retention': true,
  '/api/metrics/summary': true,
  '/api/metrics/trials': true,
  '/api/metrics/trials/funnel': true,
  '/api/metrics/trials/series': true,
  '/api/metrics/usage-revenue': true,
  '/api/metrics/usage-revenue/by-customer': true,
  '/api/metrics/usage-revenue/series': true,
  '/api/subscriptions': true,
  '/api/vendors': true,
}

/** Separates parameters inside the panel's text. An `&` would end the text in the address. */
const NEXT = ';'
/** Begins the names that belong to the panel and not to its call. */
const OWN = '_'
const NAME = /^[a-z][a-z_]{0,39}$/
const MOST_CHARACTERS = 8_000
const TOO_LONG = 'Too many filters to list the rows: the address of this panel would be too long. Remove some filters above.'

/** Writes a panel as one parameter of the address: its API call, then its own entries such as `_title`. */
export function panelText(drill: Drill): string {
  const { question, title, note, fields, sum, only = {}, lists, leads, why = false } = drill
  const own: readonly (readonly [name: string, value: string | undefined])[] = [
    ['title', title],
    ['note', note],
    ['fields', fields?.join(',')],
    ['sum', sum],
    ...Object.entries(only).flatMap(([field, values]) => [values].flat().map((value) => ['only', `${field}=${value}`] as const)),
    ...(lists?.choices ?? []).map(({ value, label }) => ['list', `${lists?.field}=${value},${label}`] as const),
    ['leads', leads],
    ['why', why ? 'true' : undefined],
    ...(question?.without ?? []).map((field) => ['without', field] as const),
  ]
  const asked = Object.entries(question?.query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one === undefined ? undefined : String(one)] as const),
  )
  const entries = [...asked, ...own.map(([name, value]) => [OWN + name, value] as const)]
  const written = entries.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name}=${escaped(value)}`]))
  const text = `${question?.path ?? ''}?${written.join(NEXT)}`
  return text.length > MOST_CHARACTERS ? panelText({ title: title.slice(0, NAME_LENGTH), note: TOO_LONG }) : text
}

const NAME_LENGTH = 200

const OF_EXPENSES = /^Lines without an? [\w ]{1,40} can’t be listed: the API has no filter for them\.$/

/** The notes of panels without rows. */
function isOwnNote(note: string | undefined): boolean {
  return note === TOO_LONG || (note !== undefined && OF_EXPENSES.test(note))
}

/** Reads a panel from the address. Undefined if the text names an unknown path, is too long or has another form. */
export function readPanel(text: string | undefined): Drill | undefined {
  if (text === undefined || text.length > MOST_CHARACTERS) return undefined
  const at = text.indexOf('?')
  if (at < 0) return undefined
  const path = text.slice(0, at)
  const entries = text
    .slice(at + 1)
    .split(NEXT)
    .map(entryOf)
  if (entries.some(({ name }) => !NAME.test(name.replace(OWN, '')))) return undefined
  const own = (name: string) => entries.filter((entry) => entry.name === OWN + name).map(({ value }) => value)
  const [title] = own('title')
  const [note] = own('note')
  const [sum] = own('sum')
  const [leads] = own('leads')
  const fields = own('fields')[0]?.split(',')
  const only = queryOf(own('only').map(entryOf))
  const lists = listsOf(own('list').map(entryOf))
  if (title === undefined) return undefined
  const call = entries.filter(({ name }) => !name.startsWith(OWN))
  const query = queryOf(call)
  // A link must not put its own text in a panel without rows, so that only the page's own notes are shown.
  if (path === '' ? !isOwnNote(note) || call.length > 0 : !isKnown(path)) return undefined
  const without = own('without')
  return {
    title,
    ...(isKnown(path) ? { question: { path, query, ...(without.length === 0 ? {} : { without }) } } : {}),
    ...(note === undefined ? {} : { note }),
    ...(fields === undefined ? {} : { fields }),
    ...(sum === undefined ? {} : { sum }),
    ...(Object.keys(only).length === 0 ? {} : { only }),
    ...(lists === undefined ? {} : { lists }),
    ...(leads === undefined ? {} : { leads }),
    ...(own('why').length === 0 ? {} : { why: true }),
  }
}

/** In `only`: any value but none. */
export const ANY_VALUE = '*'

/** Whether `only` of a panel selects a row. */
export function isSelected(row: Readonly<Record<string, unknown>>, only: Drill['only'] = {}): boolean {
  return Object.entries(only).every(([field, values]) => {
    const text = String(row[field] ?? '')
    return [values].flat().some((value) => value === text || (value === ANY_VALUE && text !== ''))
  })
}

/** The lists of a panel. All have the field of the first one. */
function listsOf(entries: readonly Entry[]): DrillLists | undefined {
  const [first] = entries
  if (first === undefined) return undefined
  const choices = entries.map(({ value }) => {
    const [number, ...label] = value.split(',')
    return { value: Number(number), label: label.join(',') }
  })
  return { field: first.name, choices }
}

function isKnown(path: string): path is RowsPath {
  return Object.hasOwn(PATHS, path)
}

interface Entry {
  readonly name: string
  readonly value: string
}

function entryOf(text: string): Entry {
  const at = text.indexOf('=')
  return at < 0 ? { name: text, value: '' } : { name: text.slice(0, at), value: unescaped(text.slice(at + 1)) }
}

/** A name with several values becomes a list. `filter` is always a list. */
function queryOf(entries: readonly Entry[]): Readonly<Record<string, string | readonly string[]>> {
  const names = [...new Set(entries.map(({ name }) => name))]
  return Object.fromEntries(
    names.map((name) => {
      const values = entries.filter((entry) => entry.name === name).map(({ value }) => value)
      return [name, values.length === 1 && name !== 'filter' ? (values[0] ?? '') : values]
    }),
  )
}

function escaped(value: string): string {
  return value.replaceAll('%', '%25').replaceAll(NEXT, '%3B')
}

function unescaped(value: string): string {
  return value.replaceAll('%3B', NEXT).replaceAll('%25', '%')
}
