import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import type { CsvForm, CsvSeparator } from '../../core/csv-form.ts'
import { AppError } from '../../core/errors.ts'
import { clipped } from '../../core/text.ts'
import { separated } from './separator.ts'
import { type CsvSource, csvText } from './text.ts'

/** One record of the file. `row` is 0 for the header and counts from 1 after it. A column without a name is empty in every record. */
export interface CsvRecord {
  readonly row: number
  readonly cells: readonly string[]
  /** Separator of the file. */
  readonly separator: CsvSeparator
}

interface CsvOptions extends CsvForm {
  readonly maxBytes: number
  /** Whether to trim blanks around a cell. */
  readonly trim: boolean
  /** Column names that decide if several separators would divide the header. */
  readonly marks: readonly string[]
  /** The end of the message about a file that is no table: what to use instead. */
  readonly instead?: string
}

// Length of the longest possible row: as many attributes as a file may set, each of the greatest length. A longer row has an open
// quote, or the file is not a table.
const MOST_CHARACTERS = 4_194_304
const MOST_NAMED = 200

/**
 * Streams the records of a CSV file (RFC 4180, header first). Accepts a BOM, any line ends, and comma, semicolon or tab as
 * separator. Accepts short rows. Skips rows without any value, but counts them. AppError `invalid_csv` with `row` and `column`
 * for encoding, separator, quoting, a missing header or a value outside the header, `payload_too_large` beyond `maxBytes`.
 */
export async function* csvRecords(source: CsvSource, options: CsvOptions): AsyncGenerator<CsvRecord> {
  const whole = csvText(source, options)
  const { separator, text } = await separated(whole, {
    named: options.separator,
    marks: options.marks,
    instead: options.instead,
  }).catch(async (error) => {
    await whole.return(undefined)
    throw error
  })
  const state: { names?: readonly string[] } = {}
  const parser = parserOf(separator, options.trim, state)
  // If the source fails, the pipeline destroys the parser with the same error, so the loop below also gets it.
  const fed = pipeline(Readable.from(text), parser).catch(() => undefined)
  const trim = options.trim && separator === '\t'
  let row = -1
  let names: readonly string[] = []
  try {
    for await (const read of parser as AsyncIterable<readonly string[]>) {
      const cells = trim ? read.map((cell) => cell.trim()) : read
      const isEmpty = cells.every((cell) => cell.trim() === '')
      if (isEmpty && row < 0) continue
      row += 1
      if (isEmpty) continue
      if (row === 0) {
        checkRepeated(cells)
        names = cells
      } else checkNamed(row, cells, names)
      yield { row, cells, separator }
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(error, state.names ?? []) : error
  } finally {
    parser.destroy()
    await fed
    await whole.return(undefined)
  }
  if (row < 0) throw new AppError('invalid_csv', 'The CSV file is empty: a header row is required.')
}

function parserOf(delimiter: CsvSeparator, trim: boolean, state: { names?: readonly string[] }) {
  return parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    // The parser would also trim tabs that separate cells.
    trim: trim && delimiter !== '\t',
    // By default the parser expects all lines to end like the first line, and would leave other line ends in a cell.
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (cells: string[]): string[] => {
      state.names ??= cells
      return cells
    },
    max_record_size: MOST_CHARACTERS,
  })
}

// Spreadsheets write empty cells at the end of a row for columns that were once in use.
function checkNamed(row: number, cells: readonly string[], names: readonly string[]): void {
  const place = cells.findIndex((cell, at) => (names[at] ?? '').trim() === '' && cell.trim() !== '')
  if (place < 0) return
  if (place >= names.length) throw rowError(row, `Row ${row} has ${cells.length} cells, the header ${names.length}.`)
  throw rowError(row, `Row ${row} has a value in column ${place + 1}, which has no name in the header.`)
}

/** AppError `invalid_csv` that names the wrong column of the header. */
export function headerError(detail: string, column: string): AppError {
  return new AppError('invalid_csv', detail, { context: { column: clipped(column, MOST_NAMED) } })
}

function checkRepeated(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (name.trim() === '') continue
    if (seen.has(name)) throw headerError(`The header names the column ${JSON.stringify(name)} twice.`, name)
    seen.add(name)
  }
}

// The parser may be ahead of the consumer, so the row comes from the parser's own count, which includes the header.
function malformed(error: CsvError, names: readonly string[]): AppError {
  const row = typeof error['records'] === 'number' ? error['records'] : 0
  const column = typeof error['column'] === 'number' ? names[error['column']] : undefined
  const context = { ...(row > 0 ? { row } : {}), ...(column === undefined ? {} : { column }) }
  return new AppError('invalid_csv', `The CSV file is malformed: ${error.message}.`, { context, cause: error })
}

function rowError(row: number, detail: string): AppError {
  return new AppError('invalid_csv', detail, { context: { row } })
}

/** One data row. `row` counts from 1 after the header. Missing cells of a short row are empty, and cells are trimmed. */
export interface CsvRow {
  readonly row: number
  readonly cell: (column: string) => string
  /** Separator of the file. */
  readonly separator: CsvSeparator
}

/**
 * Streams the data rows of a CSV file with known columns. AppError like `csvRecords`. Also `invalid_csv` with `column` if a
 * column of `required` is missing, or if the file has a column that is neither in `required` nor in `optional`.
 */
export async function* csvRows(
  source: CsvSource,
  required: readonly string[],
  optional: readonly string[],
  options: CsvForm & { readonly maxBytes: number },
): AsyncGenerator<CsvRow> {
  let places: ReadonlyMap<string, number> = new Map()
  for await (const { row, cells, separator } of csvRecords(source, { ...options, trim: true, marks: required })) {
    if (row > 0) {
      // The parser does not trim blanks within quotes.
      yield { row, cell: (column) => cells[places.get(column) ?? -1]?.trim() ?? '', separator }
      continue
    }
    const missing = required.filter((name) => !cells.includes(name))
    if (missing[0] !== undefined) {
      throw headerError(`The header lacks ${missing.join(', ')}: the columns ${required.join(', ')} are required.`, missing[0])
    }
    checkKnown(cells, [...required, ...optional])
    places = new Map(cells.map((name, index) => [name, index]))
  }
}

function checkKnown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => name !== '' && !known.includes(name))
  const [first] = unknown
  if (first === undefined) return
  const quoted = unknown.slice(0, 10).map((name) => JSON.stringify(name))
  throw headerError(`The header has unknown columns: ${quoted.join(', ')}. Known columns are ${known.join(', ')}.`, first)
}

/**
 * Writes a number with a decimal point. A file with semicolons or tabs comes from a locale with decimal commas, so a decimal
 * comma is accepted there. A comma before exactly three digits is not accepted, because it may separate thousands. Any other text
 * stays unchanged, and the reader refuses it.
 */
export function withPoint(text: string, separator: CsvSeparator): string {
  if (separator === ',') return text
  const [, whole, decimals] = /^(-?\d+),(\d+)$/.exec(text) ?? []
  return whole === undefined || decimals === undefined || decimals.length === 3 ? text : `${whole}.${decimals}`
}
