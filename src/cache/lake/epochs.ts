import type { EpochUnit } from '../../connector-kit/column-casts.ts'
import type { Snapshot } from '../../ports/snapshot.ts'

/** Columns of a table that keep instants as numbers since 1970. */
interface Epochs {
  readonly table: string
  readonly columns: readonly string[]
}

/**
 * The first numbers that are an instant after 1973 in their unit and one after 5138 in the next larger one. Seconds and nanoseconds are written by no
 * tool that is known here.
 */
const [MILLISECONDS_FROM, MICROSECONDS_FROM, MICROSECONDS_TO] = [1e11, 1e14, 1e17]

/** The unit of each column (`table.column`), by its largest number. A column without numbers has any unit; one with others has none. */
export async function epochUnits(
  snapshot: Snapshot,
  epochs: readonly Epochs[],
  rows: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, EpochUnit>> {
  const units = new Map<string, EpochUnit>()
  for (const { table, columns } of epochs) {
    const cells = columns.map((column) => `cast(max(abs(copied.${column})) as varchar) as ${column}`)
    const [row] = await snapshot.query({
      text: `select ${cells.join(', ')} from (${rows.get(table)}) as copied`,
      values: [],
      label: 'lake.epochs',
    })
    for (const column of columns) {
      const largest = row?.[column] ?? null
      const unit = largest === null ? 'milliseconds' : unitOf(Number(largest))
      if (unit !== undefined) units.set(`${table}.${column}`, unit)
    }
  }
  return units
}

function unitOf(largest: number): EpochUnit | undefined {
  if (largest >= MILLISECONDS_FROM && largest < MICROSECONDS_FROM) return 'milliseconds'
  return largest >= MICROSECONDS_FROM && largest < MICROSECONDS_TO ? 'microseconds' : undefined
}
