import { type CsvSource, csvRecords, headerError } from './csv-stream.ts'

/** One data row: `row` counts from 1 after the header; a cell missing at the end of a short row is empty. */
export interface CsvRow {
  readonly row: number
  readonly cell: (column: string) => string
}

/**
 * Data rows of a CSV file whose columns are known, streamed. AppError like `csvRecords`, and `invalid_csv` with `column` when one of
 * `required` is missing. Other columns are allowed.
 */
export async function* csvRows(source: CsvSource, required: readonly string[], maxBytes: number): AsyncGenerator<CsvRow> {
  let places: ReadonlyMap<string, number> = new Map()
  for await (const { row, cells } of csvRecords(source, { maxBytes, trim: true })) {
    if (row > 0) {
      yield { row, cell: (column) => cells[places.get(column) ?? -1] ?? '' }
      continue
    }
    const missing = required.filter((name) => !cells.includes(name))
    if (missing[0] !== undefined) {
      throw headerError(`The header lacks ${missing.join(', ')}: the columns ${required.join(', ')} are required.`, missing[0])
    }
    places = new Map(cells.map((name, index) => [name, index]))
  }
}
