import type { CsvForm, CsvSeparator } from '../../core/csv-form.ts'
import { csvRecords, headerError } from './csv-stream.ts'
import type { CsvSource } from './csv-text.ts'

/** One data row: `row` counts from 1 after the header; a cell missing at the end of a short row is empty, and blanks around one are left out. */
export interface CsvRow {
  readonly row: number
  readonly cell: (column: string) => string
  /** What divides the cells of the file. */
  readonly separator: CsvSeparator
}

/**
 * Data rows of a CSV file whose columns are known, streamed. AppError like `csvRecords`, and `invalid_csv` with `column` when one of
 * `required` is missing, or one is none of these and `optional`.
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
      // Blanks within quotes are not seen by the parser.
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
  throw headerError(`The header has unknown columns: ${quoted.join(', ')}. Known ones are ${known.join(', ')}.`, first)
}
