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
  let headed = false
  const columns = (names: readonly string[]): (string | false)[] => {
    headed = true
    checkHeader(names, required)
    return names.map((name) => required.includes(name) && name)
  }
  const parser = parse({ bom: true, columns, skip_empty_lines: true, relax_column_count_less: true, trim: true })
  // The iteration below sees a failure of the source too: the pipeline destroys the parser with it.
  const fed = pipeline(Readable.from(decoded(source, maxBytes)), parser).catch(() => undefined)
  let row = 0
  try {
    for await (const record of parser as AsyncIterable<Readonly<Record<string, string>>>) {
      row += 1
      yield { row, cell: (column) => record[column] ?? '' }
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(error, headed) : error
  } finally {
    parser.destroy()
    await fed
  }
  if (!headed) throw new AppError('invalid_csv', 'The CSV file is empty: a header row is required.')
}

/** The text of a source, checked while it passes. AppError `invalid_csv`, `payload_too_large`. */
export async function* decoded(source: CsvSource, maxBytes: number): AsyncGenerator<string> {
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

function checkHeader(names: readonly string[], required: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw headerError(`The header names the column ${JSON.stringify(repeated)} twice.`, repeated)
  const missing = required.filter((name) => !names.includes(name))
  if (missing[0] === undefined) return
  throw headerError(`The header lacks ${missing.join(', ')}: the columns ${required.join(', ')} are required.`, missing[0])
}

function headerError(detail: string, column: string): AppError {
  return new AppError('invalid_csv', detail, { context: { column } })
}

function malformed(error: CsvError, headed: boolean): AppError {
  const row = headed && typeof error['records'] === 'number' ? error['records'] + 1 : undefined
  const column = typeof error['column'] === 'string' ? error['column'] : undefined
  const context = { ...(row === undefined ? {} : { row }), ...(column === undefined ? {} : { column }) }
  return new AppError('invalid_csv', `The CSV file is malformed: ${error.message}.`, { context, cause: error })
}
