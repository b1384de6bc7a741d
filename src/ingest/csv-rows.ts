import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../core/errors.ts'

/** A CSV file as it comes: whole, or in pieces. */
export type CsvSource = string | AsyncIterable<string | Uint8Array>

/** One data row: `row` counts from 1 after the header; a cell missing at the end of a short row is empty. */
export interface CsvRow {
  readonly row: number
  readonly cell: (column: string) => string
}

/**
 * Data rows of a CSV file (RFC 4180, UTF-8 with or without BOM), streamed. AppError `invalid_csv` with `row` and `column` when
 * the file as a whole is malformed: encoding, quoting, header, one of `required` missing, a row longer than the header.
 * AppError `payload_too_large` beyond `maxBytes`. Other columns are allowed.
 */
export async function* csvRows(source: CsvSource, required: readonly string[], maxBytes: number): AsyncGenerator<CsvRow> {
  const parser = parse({ bom: true, skip_empty_lines: true, relax_column_count_less: true, trim: true })
  // The iteration below sees a failure of the source too: the pipeline destroys the parser with it.
  const fed = pipeline(Readable.from(decoded(source, maxBytes)), parser).catch(() => undefined)
  let header: readonly string[] | undefined
  let row = 0
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      if (header === undefined) {
        header = checkedHeader(record, required)
        continue
      }
      row += 1
      yield { row, cell: cellReader(header, record) }
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(error, header) : error
  } finally {
    parser.destroy()
    await fed
  }
  if (header === undefined) throw new AppError('invalid_csv', 'The CSV file is empty: a header row is required.')
}

async function* decoded(source: CsvSource, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const piece of typeof source === 'string' ? [source] : readable(source)) {
    bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
    if (bytes > maxBytes) {
      throw new AppError('payload_too_large', `The CSV file is larger than ${maxBytes} bytes.`, {
        context: { limit_bytes: maxBytes },
      })
    }
    yield typeof piece === 'string' ? piece : decodeWith(decoder, piece)
  }
  yield decodeWith(decoder, undefined)
}

// A directory, a file on a broken disk: not to be taken for a failure of what the rows are written to.
async function* readable(source: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('invalid_csv', `The CSV file cannot be read: ${reason}.`, { cause })
  }
}

function decodeWith(decoder: TextDecoder, piece: Uint8Array | undefined): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined })
  } catch (cause) {
    throw new AppError('invalid_csv', 'The CSV file is not UTF-8 text.', { cause })
  }
}

function checkedHeader(names: readonly string[], required: readonly string[]): readonly string[] {
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw headerError(`The header names the column ${JSON.stringify(repeated)} twice.`, repeated)
  const missing = required.filter((name) => !names.includes(name))
  if (missing[0] === undefined) return names
  throw headerError(`The header lacks ${missing.join(', ')}: the columns ${required.join(', ')} are required.`, missing[0])
}

function headerError(detail: string, column: string): AppError {
  return new AppError('invalid_csv', detail, { context: { column } })
}

function cellReader(header: readonly string[], record: readonly string[]): (column: string) => string {
  return (column) => record[header.indexOf(column)] ?? ''
}

function malformed(error: CsvError, header: readonly string[] | undefined): AppError {
  // The parser counts the header among its records.
  const row = typeof error['records'] === 'number' ? error['records'] : undefined
  const column = typeof error['column'] === 'number' ? header?.[error['column']] : undefined
  const context = { ...(row === undefined || row === 0 ? {} : { row }), ...(column === undefined ? {} : { column }) }
  return new AppError('invalid_csv', `The CSV file is malformed: ${error.message}.`, { context, cause: error })
}
