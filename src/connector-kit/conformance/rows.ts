import type { Cell, Row } from '../../ports/rows.ts'
import type { ColumnContract, ContractType, RelationContract } from '../../relations/define-relation.ts'
import { text } from '../query-runner.ts'
import type { Report } from './finding.ts'

/** Reports the columns of the contract that the relation lacks. Additional columns are allowed. */
export function checkColumns({ columns }: RelationContract, present: readonly string[], report: Report): void {
  for (const { name } of columns.filter((column) => !present.includes(column.name)))
    report('columns', `no column "${name}"`, `there are ${present.join(', ')}`)
}

/** Checks rows one by one: types, nulls and canonical values of each cell, and whether the grain is unique. */
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

const WHOLE = /^-?\d+(\.0*)?$/
const DECIMAL = /^-?\d+(\.\d+)?$/
const INSTANT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

const FITS: Readonly<Record<ContractType, (cell: Cell) => boolean>> = {
  text: (cell) => typeof cell === 'string',
  key: (cell) => typeof cell === 'string' || Number.isSafeInteger(cell),
  integer: (cell) => Number.isSafeInteger(cell) || (typeof cell === 'string' && WHOLE.test(cell)),
  decimal: (cell) => typeof cell === 'number' || (typeof cell === 'string' && DECIMAL.test(cell)),
  // Whole seconds, because two instants within one second are the same instant (D1).
  timestamp: (cell) => typeof cell === 'string' && INSTANT.test(cell),
  date: (cell) => typeof cell === 'string' && DAY.test(cell),
  // MySQL returns booleans as numbers, and 64-bit numbers as text.
  boolean: (cell) => typeof cell === 'boolean' || cell === 0 || cell === 1 || cell === '0' || cell === '1',
}

/** True if a cell other than null is an executor's value for a column of this type. */
function fitsType(cell: Cell, type: ContractType): boolean {
  return FITS[type](cell)
}

/**
 * The instant from which checkWindow reads the movements again: the last return of a lost customer, or else the middle movement.
 * In whole seconds. Undefined if there are no movements.
 */
export function lateInstant(movements: readonly Row[]): string | undefined {
  const ordered = movements.toSorted((a, b) => (text(a['occurred_at']) < text(b['occurred_at']) ? -1 : 1))
  const back = ordered.findLast((row) => row['movement_type'] === 'reactivation' && row['reason'] !== 'resume')
  const chosen = back ?? ordered[Math.floor(ordered.length / 2)]
  return chosen === undefined ? undefined : text(chosen['occurred_at']).slice(0, 19)
}

/** A movement must be the same whether or not the request reaches back before it. Earlier movements decide its kind (D32). */
export function checkWindow(whole: readonly Row[], late: readonly Row[], from: string, report: Report): void {
  const kinds = new Map(late.map((row) => [keyOf(row), row['movement_type']]))
  for (const row of whole.filter((one) => text(one['occurred_at']) >= from)) {
    const [kind, other] = [text(row['movement_type']), kinds.get(keyOf(row))]
    if (kind !== other)
      report(
        'windows',
        'a movement is another where the request does not reach back',
        `${keyOf(row)} ${kind}, then ${other ?? 'none'}`,
      )
  }
}

function keyOf(row: Row): string {
  return ['subscription_id', 'movement_source', 'occurred_at'].map((name) => text(row[name])).join(' ')
}
