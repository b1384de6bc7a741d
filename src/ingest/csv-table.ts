import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../core/errors.ts'
import { type CsvSource, decoded } from './csv-rows.ts'

/** One record as it stands in the file; `row` is 0 for the header and counts from 1 after it. */
export interface CsvRecord {
  readonly row: number
  readonly cells: readonly string[]
}

/**
 * Records of a CSV file whose columns nobody knows beforehand (RFC 4180, UTF-8 with or without BOM), streamed, the header first. Short rows
 * are fine. AppError `invalid_csv` for encoding, quoting, no header or a row longer than it, `payload_too_large` beyond `maxBytes`.
 */
export async function* csvTable(source: CsvSource, maxBytes: number): AsyncGenerator<CsvRecord> {
  const parser = parse({ bom: true, relax_column_count: true, skip_empty_lines: true })
  // The iteration below sees a failure of the source too: the pipeline destroys the parser with it.
  const fed = pipeline(Readable.from(decoded(source, maxBytes)), parser).catch(() => undefined)
  let row = -1
  let width = 0
  try {
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      row += 1
      if (row === 0) width = cells.length
      if (cells.length > width) throw rowError(row, `Row ${row} has ${cells.length} cells, the header ${width}.`)
      yield { row, cells }
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(error) : error
  } finally {
    parser.destroy()
    await fed
  }
  if (row < 0) throw new AppError('invalid_csv', 'The CSV file is empty: a header row is required.')
}

// Records already read may not have been taken yet: the parser knows how many there were, the header among them.
function malformed(error: CsvError): AppError {
  const row = typeof error['records'] === 'number' ? error['records'] : 0
  return rowError(row, `The CSV file is malformed: ${error.message}.`, error)
}

function rowError(row: number, detail: string, cause?: unknown): AppError {
  return new AppError('invalid_csv', detail, { context: row > 0 ? { row } : {}, cause })
}
