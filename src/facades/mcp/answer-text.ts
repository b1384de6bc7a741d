import { isObject } from '../../core/json.ts'
import type { Answer } from '../../engine/engine.ts'
import { explanationText } from '../presentation/explanation-text.ts'
import { amountColumns, recordsOf, unitName, unitsOfColumns } from '../presentation/table.ts'
import { briefColumns, cellText, countText, MOST_ROWS, tableText } from './table-text.ts'

const NARROWER = 'For fewer rows, use a shorter range, a longer interval or fewer dimensions.'

/**
 * An answer with amounts in units as text for a model: the values or rows, their units, the row count, warnings and freshness. If `isBrief`, a list
 * has no columns that only identify its rows.
 */
export function answerText(given: Answer, title: string, offset = 0, isBrief = false): string {
  const answer = inUnitNames(given)
  const { kind, columns, meta } = answer
  const { days, data_through: through, warnings } = meta
  const isList = kind === 'rows' || kind === 'page'
  const [record = {}] = isList ? [] : recordsOf(answer)
  const lines = [
    days === undefined ? title : `${title}, ${days.start === days.end ? days.end : `${days.start} to ${days.end}`}`,
    ...(isList ? listLines(answer, offset, isBrief) : columns.flatMap((name) => figureLine(name, record[name]))),
    ...unitLines(answer),
    ...(answer.compared_with === undefined ? [] : [`Compared with ${answer.compared_with.replace('/', ' to ')}.`]),
    ...warnings.map(({ message }) => `Warning: ${message}`),
    ...(through === null ? [] : [`Data through ${through}.`]),
    ...(answer.explanation === undefined ? [] : [explanationText(answer.explanation)]),
  ]
  return lines.join('\n')
}

// Amounts are in units, so no name says cents.
function inUnitNames(answer: Answer): Answer {
  const fields = answer.meta.fields.map((field) => ({ ...field, name: unitName(field.name) }))
  const data = named(answer.data)
  return { ...answer, data, columns: answer.columns.map(unitName), meta: { ...answer.meta, fields } }
}

function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [unitName(name), OF_USERS.includes(name) ? inner : named(inner)] as const),
  )
}

/** Objects whose keys are names that users chose. */
const OF_USERS: readonly string[] = ['attributes', 'fields']

function figureLine(name: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return [`${name}:`, ...value.slice(0, MOST_ROWS).map((item) => `- ${cellText(item)}`)]
  // A list inside an object becomes a table.
  if (!Array.isArray(value) || typeof value[0] !== 'object') return [`${name}: ${cellText(value)}`]
  const shown: readonly Readonly<Record<string, unknown>>[] = value.slice(0, MOST_ROWS)
  const count = shown.length === value.length ? '' : ` (the first ${shown.length} of ${value.length})`
  return [`${name}${count}:`, tableText([...new Set(shown.flatMap(Object.keys))], shown)]
}

function listLines(answer: Answer, given: number, isBrief: boolean): readonly string[] {
  const all = recordsOf(answer)
  const page = answer.kind === 'page' ? (answer.data as { readonly total: number; readonly offset: number }) : undefined
  const { total, offset } = page ?? { total: answer.total ?? all.length, offset: given }
  const shown = all.slice(0, MOST_ROWS)
  const canGoOn = page !== undefined || answer.total !== undefined
  // The rest row represents other rows, so it does not count.
  const counted = shown.filter((row) => row['is_rest'] !== true).length
  const rest = canGoOn ? `For more rows, use offset ${offset + counted}.` : NARROWER
  const count = countText(counted, offset, total, rest)
  return shown.length === 0 ? [count] : [tableText(isBrief ? briefColumns(answer.columns, shown) : answer.columns, shown), count]
}

function unitLines({ kind, columns, meta }: Answer): readonly string[] {
  const amounts = [...amountColumns({ meta })].filter((name) => columns.includes(name))
  const units = unitsOfColumns({ meta })
  const [fractions, ratios] = (['fraction', 'ratio'] as const).map((unit) => columns.filter((name) => units.get(name) === unit))
  return [
    ...amountLines(amounts, kind, meta),
    ...(meta.time_zone === undefined ? [] : [`Days are those of ${meta.time_zone}.`]),
    ...namesLine('Fractions (0.05 is 5 %)', fractions),
    ...namesLine('Ratios (1.9 is 1.9 to 1)', ratios),
    ...(columns.includes('is_partial') ? ['is_partial: the period is not over.'] : []),
    ...(columns.includes('is_forecast') ? ['is_forecast: the row counts what lies after now.'] : []),
  ]
}

function namesLine(what: string, names: readonly string[] = []): readonly string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}.`]
}

// The text for an object names no columns, because an object may contain more amounts in the same currency.
function amountLines(names: readonly string[], kind: Answer['kind'], { amounts, base_currency: base }: Answer['meta']): string[] {
  const { currency } = amounts
  if (names.length === 0) return []
  if (currency !== 'original') return [kind === 'object' ? `Amounts are ${currency}.` : inCurrency(currency, names)]
  const isBase = (name: string) => name.endsWith('_base')
  const lines = [
    [base, names.filter(isBase)],
    ['the currency that the row names', names.filter((name) => !isBase(name))],
  ] as const
  return lines.flatMap(([unit, some]) => (some.length === 0 ? [] : [inCurrency(unit, some)]))
}

function inCurrency(unit: string, names: readonly string[]): string {
  return `In ${unit}: ${names.join(', ')}.`
}
