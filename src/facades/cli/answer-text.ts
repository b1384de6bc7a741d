import { withoutControls } from '../../core/text.ts'
import type { Answer } from '../../engine/engine.ts'
import { barShares, type CellFormat, cellText, figureLines, formatNumber, NO_UNITS, unitOf } from '../presentation/cells.ts'
import { unitsOfColumns } from '../presentation/table.ts'
import { fits, tableLines } from '../presentation/text-table.ts'
import { isCohortMatrix, matrixLines, type Pivot, pivoted } from './pivot.ts'
import { paint } from './terminal-text.ts'

type Row = Readonly<Record<string, unknown>>

/** Style and width of a text. */
interface Styled {
  readonly bold: boolean
  readonly width?: number | undefined
}

/** The column of bars has no title. */
const BAR = ''

/**
 * An answer as text: one figure with its currency, a list of figures, or an aligned table. `bold` styles headers; `width` is the width of
 * the terminal in characters.
 */
export function answerText(answer: Answer, bold: boolean, width?: number): string {
  const { time_zone } = answer.meta
  return `${figuresText(answer, bold, width)}${time_zone === undefined ? '' : `(days of ${time_zone})\n`}`
}

function figuresText(answer: Answer, bold: boolean, width: number | undefined): string {
  const { data, kind, columns, meta, measure } = answer
  const reading = { units: unitsOfColumns(answer), currency: meta.base_currency }
  if (measure !== undefined) return `${comparisonLines(data as Row, measure, reading, answer.compared_with).join('\n')}\n`
  if (kind === 'scalar') return `${scalarText(data, columns[0] ?? 'value', reading)}\n`
  if (kind === 'object' && isExplanation(columns)) return `${explanationLines(data as Row, bold).join('\n')}\n`
  if (kind === 'object') return `${figureLines(data as Row, columns, reading).join('\n')}\n`
  const found: readonly Row[] = Array.isArray(data) ? data : []
  if (found.length > 0 && isCohortMatrix(columns)) return withHeader(matrixLines(found, columns), bold)
  const table = tableOf(found.map(withMarkedPeriod), answer, bold, width)
  const notes = MARKS.filter(({ column }) => found.some((record) => record[column] === true)).map(
    ({ mark, note }) => `${mark} ${note}\n`,
  )
  return `${table}${notes.join('')}`
}

const PERIOD_COLUMNS = ['period', 'month']

// The star is also that of a month of the cohort matrix.
const MARKS = [
  { column: 'is_partial', mark: '*', note: 'the period is not over' },
  { column: 'is_forecast', mark: '+', note: 'forecast' },
]

// A period that is not over or a forecast has a mark.
function withMarkedPeriod({ is_partial, is_forecast, ...record }: Row): Row {
  const mark = MARKS.find(({ column }) => ({ is_partial, is_forecast })[column] === true)?.mark
  if (mark === undefined) return record
  const names = PERIOD_COLUMNS.filter((name) => record[name] !== undefined)
  return { ...record, ...Object.fromEntries(names.map((name) => [name, `${record[name]}${mark}`])) }
}

function tableOf(records: readonly Row[], answer: Answer, bold: boolean, width: number | undefined): string {
  const { meta } = answer
  const columns = answer.columns.filter((column) => !HIDDEN.includes(column))
  const reading = { units: unitsOfColumns(answer), currency: meta.base_currency }
  const pivots = answer.compared_with === undefined ? pivoted(records, columns) : undefined
  if (pivots !== undefined) {
    const shared = columns.includes('currency') ? { units: reading.units } : reading
    const isNarrow = pivots.every((pivot) => fits(pivotText(pivot, shared, false).split('\n'), width))
    if (isNarrow) return pivots.map((pivot) => pivotText(pivot, shared, bold)).join('\n')
  }
  const isTerminal = bold || width !== undefined
  if (isTerminal && columns[0] === 'period' && answer.compared_with === undefined)
    return seriesText(records, columns, { ...reading, bold, width })
  const shown = records.filter((record) => record['is_rest'] !== true).length
  const text = recordsText(records.map(withOtherRowNamed), columns, { ...reading, bold, width })
  return `${text}${footText(answer, shown)}`
}

// The "other" row is named in its first column, in the place of the group's name.
function withOtherRowNamed({ is_rest, ...record }: Row): Row {
  const [first = ''] = Object.keys(record)
  return is_rest === true ? { ...record, [first]: '(rest)' } : record
}

/** Columns that a text shows as a mark or a name instead. */
const HIDDEN = ['is_rest', 'is_partial', 'is_forecast']

// Notes on the rows: how many there are in total, and the range they are compared with.
function footText({ total, compared_with }: Answer, shown: number): string {
  const notes = [
    ...(total === undefined || total === shown ? [] : [`${shown} of ${total} rows`]),
    ...(compared_with === undefined ? [] : [`compared with ${compared_with.replace('/', ' to ')}`]),
  ]
  return notes.length === 0 ? '' : `(${notes.join(', ')})\n`
}

/** A larger change of a flow, such as net new MRR, says more as an amount. */
const LARGEST_RATE = 3

function comparisonLines(
  { value, previous, change, change_rate }: Row,
  measure: string,
  { units, currency }: CellFormat,
  compared_with = '',
): readonly string[] {
  const own = unitOf('value', units)
  const unit = own === 'money' ? (currency ?? '') : ''
  const reading = { units: new Map([measure, `change_${measure}`].map((name) => [name, own])), currency }
  const rate =
    typeof change_rate === 'number' && Math.abs(change_rate) <= LARGEST_RATE
      ? `(${change_rate > 0 ? '+' : ''}${formatNumber(change_rate, 'fraction')})`
      : ''
  const rows = [
    [measure, cellText(value, measure, reading), unit],
    ['previous', cellText(previous, measure, reading), unit, compared_with.replace('/', ' to ')],
    ['change', cellText(change, `change_${measure}`, reading), unit, rate],
  ]
  const columns = (['left', 'right', 'left', 'left'] as const).map((align) => ({ title: '', align }))
  return tableLines(columns, rows).slice(1)
}

/**
 * Records as a table. If the table is wider than the terminal, each record is a block of lines. `currency` is the currency of amounts,
 * unless each row names its own.
 */
export function recordsText(records: readonly Row[], columns: readonly string[], options: Partial<CellFormat> & Styled): string {
  if (records.length === 0) return '(no rows)\n'
  const { units = NO_UNITS } = options
  const shared = { units, currency: columns.includes('currency') ? undefined : options.currency }
  const shape = columns.map((column) => {
    const isNumber = records.every((record) => record[column] === null || typeof record[column] === 'number')
    return {
      title: isTwofold(column, columns) ? column.replace(/_cents$/, '') : titleOf(column, isNumber, shared),
      align: isNumber ? ('right' as const) : ('left' as const),
    }
  })
  const cells = records.map((record) =>
    columns.map((column) => cellText(record[column], column, { units, currency: currencyOf(record, column, options.currency) })),
  )
  const lines = tableLines(shape, cells)
  if (fits(lines, options.width)) return withHeader(lines, options.bold)
  const titles = shape.map(({ title }) => title)
  return `${cells.map((values) => stackedText(titles, values, options.bold)).join('\n')}`
}

/** A record as a block with one line per value, for a terminal that is too narrow for a table. */
function stackedText(titles: readonly string[], values: readonly string[], bold: boolean): string {
  const columns = [
    { title: '', align: 'left' as const },
    { title: '', align: 'left' as const },
  ]
  const [, first = '', ...lines] = tableLines(
    columns,
    titles.flatMap((title, index) => (title === BAR ? [] : [[title, values[index] ?? '']])),
  )
  return withHeader([first, ...lines], bold)
}

function pivotText({ measure, groups, currencies, lines }: Pivot, reading: CellFormat, bold: boolean): string {
  const shape = [{ title: 'period', align: 'left' as const }, ...groups.map((title) => ({ title, align: 'right' as const }))]
  const cells = lines.map(({ period, values }) => [
    period,
    ...values.map((value, index) => cellText(value, measure, { ...reading, currency: currencies[index] ?? reading.currency })),
  ])
  return `${titleOf(measure, true, reading)}\n${withHeader(tableLines(shape, cells), bold)}`
}

// Bars appear only on a terminal: a program that reads a pipe gets the columns of the answer.
function seriesText(records: readonly Row[], columns: readonly string[], options: CellFormat & Styled): string {
  const [first = ''] = columns.slice(1)
  const drawn = bars(records.map((record) => record[first]))
  const plain = () => recordsText(records, columns, options)
  if (drawn === undefined) return plain()
  const rows = records.map((record, index) => ({ ...record, [BAR]: drawn[index] }))
  const text = recordsText(rows, [...columns, BAR], { ...options, width: undefined })
  return fits(text.split('\n').slice(1), options.width) ? text : plain()
}

// An amount is in the currency of its record, except in columns of base amounts.
function currencyOf(record: Row, column: string, base: string | undefined): string | undefined {
  const { currency } = record
  return typeof currency === 'string' && !column.endsWith('_base_cents') ? currency : base
}

// A base amount next to the original amount of the same name.
function isTwofold(column: string, columns: readonly string[]): boolean {
  return column.endsWith('_base_cents') && columns.includes(column.replace(/_base_cents$/, '_cents'))
}

// Text shows units of the currency; JSON and CSV have cents.
function titleOf(column: string, isNumber: boolean, { units, currency }: CellFormat): string {
  if (!isNumber || unitOf(column, units) !== 'money') return column
  const name = column.replace(/(_base)?_cents$/, '')
  return currency === undefined ? name : `${name} (${currency})`
}

function withHeader([header = '', ...lines]: readonly string[], bold: boolean): string {
  return [paint('bold', header, bold), ...lines, ''].join('\n')
}

function scalarText(value: unknown, column: string, reading: CellFormat): string {
  const text = cellText(value, column, reading)
  return typeof value === 'number' && unitOf(column, reading.units) === 'money' ? `${text} ${reading.currency}` : text
}

const WIDTH = 24

/** A bar for each value, relative to the largest. Undefined if bars would be useless or misleading. */
export function bars(values: readonly unknown[]): readonly string[] | undefined {
  return barShares(values)?.map((share) => '█'.repeat(Math.round(share * WIDTH)))
}

/** True for an answer that explains a change of MRR. */
function isExplanation(columns: readonly string[]): boolean {
  return columns.includes('movers') && columns.includes('sentences')
}

/** The change in sentences, followed by one sentence for each of the largest movements. */
function explanationLines(data: Readonly<Record<string, unknown>>, bold: boolean): readonly string[] {
  const [first = '', ...others] = textsOf(data['sentences'])
  const movers = listOf(data['movers']).flatMap((mover) =>
    typeof mover === 'object' && mover !== null && 'text' in mover ? [String(mover.text)] : [],
  )
  const lines = [...others, ...(movers.length === 0 ? [] : ['', ...movers])]
  return [paint('bold', withoutControls(first), bold), ...lines.map(withoutControls)]
}

function textsOf(list: unknown): readonly string[] {
  return listOf(list).map(String)
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}
