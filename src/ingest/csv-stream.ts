import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../core/errors.ts'
import { clipped } from '../core/text.ts'

/** A CSV file, whole or in the pieces in which it arrives. */
export type CsvSource = string | AsyncIterable<string | Uint8Array>

/** One record as it stands in the file; `row` is 0 for the header and counts from 1 after it. */
export interface CsvRecord {
  readonly row: number
  readonly cells: readonly string[]
}

export interface CsvOptions {
  readonly maxBytes: number
  /** Whether blanks around a cell are left out. */
  readonly trim: boolean
}

// The longest row has as many attributes as a file may set, each as long as one may be. Anything longer is an open quote, or no table.
const MOST_CHARACTERS = 4_194_304
const MOST_NAMED = 200

/**
 * Records of a CSV file (RFC 4180, UTF-8 with or without BOM, lines that end in any way), streamed, the header first. Short rows are fine.
 * AppError `invalid_csv` with `row` and `column` for encoding, quoting, no header or a row longer than it, `payload_too_large` beyond `maxBytes`.
 */
export async function* csvRecords(source: CsvSource, { maxBytes, trim }: CsvOptions): AsyncGenerator<CsvRecord> {
  // The ends of lines are named because the parser would take the first line's end for that of all, and leave parts of others in a cell.
  const record_delimiter = ['\r\n', '\n', '\r']
  let names: readonly string[] | undefined
  const on_record = (cells: string[]): string[] => {
    names ??= cells
    return cells
  }
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim,
    record_delimiter,
    on_record,
    max_record_size: MOST_CHARACTERS,
  })
  // The loop below also sees a failure of the source, because the pipeline destroys the parser with it.
  const fed = pipeline(Readable.from(decoded(source, maxBytes)), parser).catch(() => undefined)
  let row = -1
  let width = 0
  try {
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      row += 1
      if (row === 0) {
        checkRepeated(cells)
        width = cells.length
      }
      if (cells.length > width) throw rowError(row, `Row ${row} has ${cells.length} cells, the header ${width}.`)
      yield { row, cells }
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(error, names ?? []) : error
  } finally {
    parser.destroy()
    await fed
  }
  if (row < 0) throw new AppError('invalid_csv', 'The CSV file is empty: a header row is required.')
}

/** AppError `invalid_csv` that names the column of the header which is at fault. */
export function headerError(detail: string, column: string): AppError {
  return new AppError('invalid_csv', detail, { context: { column: clipped(column, MOST_NAMED) } })
}

function checkRepeated(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw headerError(`The header names the column ${JSON.stringify(name)} twice.`, name)
    seen.add(name)
  }
}

/** The text of a source, checked while it passes. AppError `invalid_csv`, `payload_too_large`. */
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

// The source may be a directory, or lie on a broken disk. Its failure must not be taken for one of the store.
async function* readable(source: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    if (cause instanceof AppError) throw cause
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

// Records that were read may not have been taken yet. The parser knows how many there were, with the header.
function malformed(error: CsvError, names: readonly string[]): AppError {
  const row = typeof error['records'] === 'number' ? error['records'] : 0
  const column = typeof error['column'] === 'number' ? names[error['column']] : undefined
  const context = { ...(row > 0 ? { row } : {}), ...(column === undefined ? {} : { column }) }
  return new AppError('invalid_csv', `The CSV file is malformed: ${error.message}.`, { context, cause: error })
}

function rowError(row: number, detail: string): AppError {
  return new AppError('invalid_csv', detail, { context: { row } })
}
