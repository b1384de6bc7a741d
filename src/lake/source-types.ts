import type { RawTable } from '../connector-kit/mirror-source.ts'
import { AppError } from '../core/errors.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { LakePlace } from './place.ts'

/** Types of Trino that hold no exact number. */
const INEXACT: ReadonlySet<string> = new Set(['real', 'double'])

/** Refuses billing tables whose copy has lost digits: a number with a type that is not exact. AppError `unsupported_by_connector` names the columns. */
export async function refuseLossy(
  snapshot: Snapshot,
  { catalog, schema }: LakePlace,
  tables: readonly RawTable[],
): Promise<void> {
  const rows = await snapshot.query({
    text: `select table_name, column_name, data_type from ${catalog}.information_schema.columns where table_schema = ?`,
    values: [schema],
    label: 'lake.types',
  })
  const types = new Map(rows.map((row) => [`${row['table_name']}.${row['column_name']}`, String(row['data_type'])]))
  const lossy = tables.flatMap(({ name, columns }) =>
    columns.flatMap((column) => {
      const isNumber = typeof column.type === 'object' || column.type === 'integer'
      const type = types.get(`${name}.${column.name}`)
      return isNumber && type !== undefined && INEXACT.has(type) ? [{ column: `${name}.${column.name}`, type }] : []
    }),
  )
  if (lossy.length === 0) return
  const listed = lossy.map(({ column, type }) => `${column} (${type})`).join(', ')
  throw new AppError(
    'unsupported_by_connector',
    `The copy of the billing tables keeps exact numbers in types that round: ${listed}. Copy them as decimal or bigint.`,
    { context: { missing: lossy.map(({ column }) => column) } },
  )
}
