import type { Cell, CellValue, WriteSheet } from 'hucre/xlsx'
import { currencyDigits } from '../../../core/currency.ts'
import { onDemand } from '../../../core/on-demand.ts'
import type { Answer, AnswerField, MetricDefinition } from '../../../engine/engine.ts'
import type { RawRequest } from '../raw-request.ts'
import { fileNames, unitName } from '../table.ts'

/** Number formats of days and instants. */
const DAY_FORMAT = 'yyyy-mm-dd'
const INSTANT_FORMAT = 'yyyy-mm-dd hh:mm:ss'

const MOST_CHARACTERS = 32_767
/** The first day that spreadsheets support. Earlier days stay text. */
const FIRST_DAY = '1900-03-01'

/** The cell of a value, by the kind of its column. Text always stays text, also if it looks like a formula. */
export function cellOf(value: unknown, holds: string): CellValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return textCell(JSON.stringify(value))
  if (holds === 'amount') return Number(value)
  const isTime = (holds === 'day' || holds === 'instant') && value >= FIRST_DAY
  return isTime ? new Date(value) : textCell(value)
}

/**
 * Text for a cell: clipped, with `_x0041_` escaped (spreadsheets would read it as a character) and without two characters that
 * XML forbids.
 */
export function textCell(text: string): string {
  const possible = text.slice(0, MOST_CHARACTERS).replaceAll(/[\ufffe\uffff]/g, '\ufffd')
  return possible.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}

/** Number format of amounts in units, with the decimals of the currency. */
function amountFormat(currency: string): string {
  const digits = currencyDigits(currency)
  return digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`
}

const WIDTHS = { day: 12, instant: 20, amount: 16, other: 20 } as const

type Head = Pick<Answer, 'columns' | 'meta'>

/** The sheet of the answer: the columns and values of the CSV with types, and a frozen header. */
function answerSheet(answer: Head, table: readonly (readonly unknown[])[], name = 'Answer'): WriteSheet {
  const { fields } = answer.meta
  return {
    name,
    rows: [
      fileNames({ kind: 'rows', data: [], ...answer }).map(textCell),
      ...table.map((row) => row.map((value, index): CellValue => cellOf(value, fields[index]?.holds ?? 'other'))),
    ],
    columns: fields.map((field) => ({ width: Math.max(WIDTHS[field.holds], field.name.length + 2), ...formatOf(field, answer) })),
    cells: new Map([...headers(answer), ...otherCurrencies(answer, table)]),
    freezePane: { rows: 1 },
  }
}

function formatOf({ holds }: AnswerField, { meta: { amounts, base_currency } }: Head): { readonly numFmt?: string } {
  if (holds === 'day') return { numFmt: DAY_FORMAT }
  if (holds === 'instant') return { numFmt: INSTANT_FORMAT }
  return holds === 'amount' && amounts.unit === 'units' ? { numFmt: amountFormat(base_currency) } : {}
}

function headers({ columns }: Head): readonly [string, Partial<Cell>][] {
  return columns.map((_, column) => [`0,${column}`, { style: { font: { bold: true } } }])
}

// If a row names its currency, its amounts get the decimals of that currency.
function otherCurrencies({ columns, meta }: Head, table: readonly (readonly unknown[])[]): readonly [string, Partial<Cell>][] {
  const named = columns.indexOf('currency')
  if (meta.amounts.unit === 'cents' || meta.amounts.currency !== 'original' || named < 0) return []
  const own = meta.fields.flatMap(({ name, holds }, column) =>
    holds === 'amount' && !name.endsWith('_base_cents') ? [column] : [],
  )
  const usual = amountFormat(meta.base_currency)
  return table.flatMap((row, index) => {
    const currency = row[named]
    const numFmt = typeof currency === 'string' ? amountFormat(currency) : usual
    return numFmt === usual ? [] : own.map((column): [string, Partial<Cell>] => [`${index + 1},${column}`, { style: { numFmt } }])
  })
}

/** The request of an answer. */
export interface Asked {
  /** The call as the facade writes it: method and URL, or the command. */
  readonly call: string
  readonly request: Pick<RawRequest, 'params' | 'spec'>
}

/** The sheet of the question: the call with its parameters, the time of the snapshot, and the units. */
function questionSheet({ call, request }: Asked, { meta }: Pick<Answer, 'meta'>): WriteSheet {
  const { days, data_through, base_currency, amounts, definitions, warnings, time_zone } = meta
  const given = [...Object.entries(request.params), ...Object.entries(request.spec)]
  const rows: CellValue[][] = [
    ['Question', call],
    ...given.map(([name, value]) => [`  ${name}`, valueText(value)]),
    ...(days === undefined
      ? []
      : [
          ['First day', days.start],
          ['Last day', days.end],
        ]),
    ...(time_zone === undefined ? [] : [['Time zone of days', time_zone]]),
    ['Complete up to', data_through ?? 'not known'],
    ['Base currency', base_currency],
    ['Amounts', unitText(amounts, base_currency)],
    ['Definitions in force', definitions],
    ...warnings.map(({ code, message }) => [`Warning: ${code}`, message]),
  ]
  return {
    name: 'Question',
    rows: rows.map((row) => row.map((cell) => (typeof cell === 'string' ? textCell(cell) : cell))),
    columns: [{ width: 24 }, { width: 100 }],
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  const isNames = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isNames ? value.join(', ') : JSON.stringify(value)
}

function unitText({ unit, currency }: Answer['meta']['amounts'], base: string): string {
  const what = unit === 'units' ? 'units' : 'cents, a hundredth of the unit in every currency,'
  if (currency !== 'original') return `${what} of ${currency}`
  return `${what} of the currency that the row names; what ends in ${unit === 'units' ? '_base' : '_base_cents'} is in ${base}`
}

/** The part of a metric definition that a workbook contains. */
type MeaningOf = Pick<MetricDefinition, 'name' | 'summary'> & {
  readonly docs: Pick<MetricDefinition['docs'], 'formula' | 'assumptions' | 'edge_cases'>
}

/** The sheet of the definitions: the metric, if there is one, and each column. */
function definitionsSheet({ meta }: Pick<Answer, 'meta'>, metric: MeaningOf | undefined): WriteSheet {
  const { fields, amounts } = meta
  const nameOf = ({ name, holds }: AnswerField) => (amounts.unit === 'units' && holds === 'amount' ? unitName(name) : name)
  const rows = [
    ...(metric === undefined ? [] : definitionRows(metric)),
    ...fields.map((field) => [`Column: ${nameOf(field)}`, field.description]),
  ]
  return { name: 'Definitions', rows: rows.map((row) => row.map(textCell)), columns: [{ width: 32 }, { width: 120 }] }
}

function definitionRows({ name, summary, docs }: MeaningOf): readonly (readonly string[])[] {
  return [
    [`Metric: ${name}`, summary],
    ['Formula', docs.formula],
    ...docs.assumptions.map((text) => ['Assumption', text]),
    ...docs.edge_cases.map((text) => ['Edge case', text]),
  ]
}

/** The content of a workbook except its rows. It contains no functions, so it can be passed to another thread. */
export interface WorkbookHead {
  readonly columns: Answer['columns']
  readonly meta: Answer['meta']
  readonly asked: Asked
  readonly metric: MeaningOf | undefined
}

// Most answers are no workbooks. hucre has no dependencies. Other writers bring nine packages, or fail on a cell with the text `constructor`.
const hucre = onDemand(() => import('hucre/xlsx'))

/** The XLSX file with these rows. Writing it blocks the thread. */
export async function writeWorkbook(
  head: WorkbookHead,
  table: readonly (readonly unknown[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await hucre()
  const sheets = [answerSheet(head, table), questionSheet(head.asked, head), definitionsSheet(head, head.metric)]
  const { data_through } = head.meta
  // The timestamps of the file come from the data, so that equal answers give equal bytes.
  const at = data_through === null ? {} : { created: new Date(data_through), modified: new Date(data_through) }
  return Uint8Array.from(await writeXlsx({ sheets, properties: at }))
}

/** A sheet with an answer, and its name. */
export interface SheetOf {
  readonly name: string
  readonly answer: Head
  readonly table: readonly (readonly unknown[])[]
}

/** The XLSX file with a sheet for each answer, made at `at`. A name has at most 31 characters. */
export async function writeSheets(sheets: readonly SheetOf[], at: Date): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await hucre()
  const written = sheets.map(({ name, answer, table }) => answerSheet(answer, table, name))
  return Uint8Array.from(await writeXlsx({ sheets: written, properties: { created: at, modified: at } }))
}
