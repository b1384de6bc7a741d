import { stringify } from 'csv-stringify/sync'
import { createPace } from '../../core/slices.ts'
import type { Answer } from '../../engine/engine.ts'
import { amountColumns, fileNames, inFile, type Renderable, recordsOf, rowOf } from './table.ts'

/** The JSON value of an answer: its data, or with an explanation the data as `result` next to it. */
export function jsonOf({ data, explanation }: Pick<Answer, 'data' | 'explanation'>): unknown {
  return explanation === undefined ? data : { result: data, ...explanation }
}

/** The JSON body. Every facade gives the same bytes. */
export function renderJson(data: unknown): string {
  return JSON.stringify(data)
}

/**
 * The CSV body (RFC 4180): always with a header row, null is empty, nested values are JSON text. Text that a spreadsheet would run as a formula
 * gets a leading apostrophe, also if it begins with a tab or line break, which spreadsheets drop. Numbers and amounts in units stay
 * unchanged.
 */
export function renderCsv(answer: Renderable): string {
  const table = inFile(answer)
  return csvWriter(table)(recordsOf(table), true)
}

/**
 * Yields the body in pieces, so that other requests can run between two pieces. The joined pieces equal the body written at once.
 */
export function piecesOf(answer: Renderable, format: 'json' | 'csv'): AsyncGenerator<string, void> {
  return format === 'json' ? jsonPieces(answer) : csvPieces(inFile(answer))
}

/** Rows per piece. A piece takes one or two milliseconds. */
const ROWS_AT_ONCE = 200

async function* jsonPieces({ data, kind }: Renderable): AsyncGenerator<string, void> {
  if (kind === 'rows' && Array.isArray(data)) return yield* jsonOfRows(data)
  if (kind !== 'page' || typeof data !== 'object' || data === null) return yield renderJson(data)
  const fields = Object.entries(data).filter(([, value]) => value !== undefined)
  for (const [index, [name, value]] of fields.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (name === 'rows' && Array.isArray(value)) yield* jsonOfRows(value)
    else yield renderJson(value)
  }
  yield fields.length === 0 ? '{}' : '}'
}

async function* jsonOfRows(rows: readonly unknown[]): AsyncGenerator<string, void> {
  const pace = createPace()
  yield '['
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    // The JSON of these rows without the brackets of the list.
    yield `${start === 0 ? '' : ','}${JSON.stringify(rows.slice(start, start + ROWS_AT_ONCE)).slice(1, -1)}`
    await pace()
  }
  yield ']'
}

async function* csvPieces(answer: Renderable): AsyncGenerator<string, void> {
  const write = csvWriter(answer)
  const records = recordsOf(answer)
  const pace = createPace()
  yield write([], true)
  for (let start = 0; start < records.length; start += ROWS_AT_ONCE) {
    yield write(records.slice(start, start + ROWS_AT_ONCE), false)
    await pace()
  }
}

type Records = ReturnType<typeof recordsOf>

function csvWriter(answer: Renderable): (records: Records, header: boolean) => string {
  const { columns } = answer
  const amounts = amountColumns(answer)
  const isAmount = columns.map((column) => amounts.has(column))
  const names = fileNames(answer)
  const cellsOf = rowOf(columns)
  const settings = {
    columns: columns.map((column, index) => ({ key: column, header: guardFormula(names[index] ?? column) })),
    record_delimiter: 'windows' as const,
    // Many readers treat a single CR or LF as the end of the row.
    quoted_match: /[\r\n]/,
    // A single empty cell would be an empty line, which readers skip.
    quoted_empty: columns.length === 1,
  }
  return (records, header) =>
    stringify(
      records.map((record) => cellsOf(record).map((value, index) => cell(value, isAmount[index] === true))),
      { ...settings, header },
    )
}

function cell(value: unknown, isAmount: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return isAmount ? value : guardFormula(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function guardFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}

/** The answer of a worked example as JSON text, one row per line. */
export function answerLines(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) return [JSON.stringify(answer)]
  const last = answer.length - 1
  return ['[', ...answer.map((row, index) => `  ${JSON.stringify(row)}${index === last ? '' : ','}`), ']']
}
