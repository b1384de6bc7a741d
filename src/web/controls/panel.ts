import type { Question } from '../api/query.ts'

/** The rows behind a number, or other records: one more API call, shown in the side panel. The address holds it, so it has no functions. */
export interface Drill {
  readonly title: string
  /** The rows of a number, or a list of records. Absent if no call can list them. `note` then says why. */
  readonly question?: Question | undefined
  /** The measures of the rows to choose from. The first one is shown first. */
  readonly measures?: readonly string[]
  /** Fields to show; all by default. */
  readonly fields?: readonly string[]
  /** Field whose sum is the clicked number. The panel shows the sum. */
  readonly sum?: string
  readonly note?: string
  /** Selects rows by the text of their fields if the call cannot select them. Several texts of a field are alternatives. */
  readonly only?: Readonly<Record<string, string | readonly string[]>>
  /** Name of the rule for the rows behind a number inside the panel. */
  readonly leads?: string
  /** Whether the API's sentences about why MRR changed come first. They have the filters and days of the question. */
  readonly why?: boolean
}

/** The lists that a panel may ask. A link could name any other address. */
const LISTS: readonly string[] = [
  '/api/expenses/lines',
  '/api/invoices',
  '/api/ledger/open-invoices',
  '/api/metrics/retention',
  '/api/subscriptions',
]
const OF_NUMBER = /^\/api\/metrics\/[a-z_]{1,40}\/rows$/

/** Separates parameters inside the panel's text. An `&` would end the text in the address. */
const NEXT = ';'
/** Begins the names that belong to the panel and not to its call. */
const OWN = '_'
const NAME = /^[a-z][a-z_]{0,39}$/
const MOST_CHARACTERS = 8_000
const TOO_LONG = 'Too many filters to list the rows: the address of this panel would be too long. Remove some filters above.'

/** Writes a panel as one parameter of the address: its API call, then its own entries such as `_title`. */
export function panelText(drill: Drill): string {
  const { question, title, measures, note, fields, sum, only = {}, leads, why = false } = drill
  const own: readonly (readonly [name: string, value: string | undefined])[] = [
    ['title', title],
    ['measures', measures?.join(',')],
    ['note', note],
    ['fields', fields?.join(',')],
    ['sum', sum],
    ...Object.entries(only).flatMap(([field, values]) => [values].flat().map((value) => ['only', `${field}=${value}`] as const)),
    ['leads', leads],
    ['why', why ? 'true' : undefined],
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
  const [fields, measures] = [own('fields')[0]?.split(','), own('measures')[0]?.split(',')]
  const only = queryOf(own('only').map(entryOf))
  if (title === undefined) return undefined
  const call = entries.filter(({ name }) => !name.startsWith(OWN))
  const query = queryOf(call)
  // A link must not put its own text in a panel without rows, so that only the page's own notes are shown.
  if (path === '' ? !isOwnNote(note) || call.length > 0 : !isKnown(path)) return undefined
  return {
    title,
    ...(isKnown(path) ? { question: { path, query } } : {}),
    ...(measures === undefined ? {} : { measures }),
    ...(note === undefined ? {} : { note }),
    ...(fields === undefined ? {} : { fields }),
    ...(sum === undefined ? {} : { sum }),
    ...(Object.keys(only).length === 0 ? {} : { only }),
    ...(leads === undefined ? {} : { leads }),
    ...(own('why').length === 0 ? {} : { why: true }),
  }
}

/** Whether `only` of a panel selects a row. */
export function isSelected(row: Readonly<Record<string, unknown>>, only: Drill['only'] = {}): boolean {
  return Object.entries(only).every(([field, values]) => [values].flat().includes(String(row[field] ?? '')))
}

function isKnown(path: string): path is Question['path'] {
  return LISTS.includes(path) || OF_NUMBER.test(path)
}

/** Whether a question asks for the rows of a number. */
export function isOfNumber({ path }: Question): boolean {
  return OF_NUMBER.test(path)
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
