import type { Cell, Row } from '../../ports/rows.ts'
import type { ColumnContract, RelationContract } from '../../relations/define-relation.ts'
import { fitsType } from './cells.ts'
import type { Report } from './finding.ts'

/** Columns of the contract that the relation lacks; more than those it may have. */
export function checkColumns({ columns }: RelationContract, present: readonly string[], report: Report): void {
  for (const { name } of columns.filter((column) => !present.includes(column.name)))
    report('columns', `no column "${name}"`, `there are ${present.join(', ')}`)
}

/** Looks at rows one by one: types, nulls and canonical values of each cell, and whether the grain is unique. */
export function rowCheck({ columns, grain }: RelationContract, report: Report): (row: Row) => void {
  const seen = new Set<string>()
  return (row) => {
    for (const column of columns) {
      const cell = row[column.name]
      if (cell !== undefined) checkCell(column, cell, row, report)
    }
    const key = JSON.stringify(grain.map((name) => row[name]))
    if (seen.has(key)) report('grain', `two rows have the same ${grain.join(', ')}`, key)
    seen.add(key)
  }
}

function checkCell({ name, type, is_nullable, values }: ColumnContract, cell: Cell, row: Row, report: Report): void {
  if (cell === null) {
    if (!is_nullable) report('nulls', `"${name}" is null`, JSON.stringify(row))
  } else if (!fitsType(cell, type)) report('types', `"${name}" is no ${type}`, JSON.stringify(cell))
  else if (values !== undefined && !values.includes(String(cell)))
    report('values', `"${name}" is none of ${values.join(', ')}`, JSON.stringify(cell))
}
