import type { Cell } from '../../ports/rows.ts'
import type { ContractType } from '../../relations/define-relation.ts'

const WHOLE = /^-?\d+(\.0*)?$/
const DECIMAL = /^-?\d+(\.\d+)?$/
const INSTANT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

const FITS: Readonly<Record<ContractType, (cell: Cell) => boolean>> = {
  text: (cell) => typeof cell === 'string',
  key: (cell) => typeof cell === 'string' || Number.isSafeInteger(cell),
  integer: (cell) => Number.isSafeInteger(cell) || (typeof cell === 'string' && WHOLE.test(cell)),
  decimal: (cell) => typeof cell === 'number' || (typeof cell === 'string' && DECIMAL.test(cell)),
  // Whole seconds: two instants of one second are the same instant (D1).
  timestamp: (cell) => typeof cell === 'string' && INSTANT.test(cell),
  date: (cell) => typeof cell === 'string' && DAY.test(cell),
  // MySQL has numbers for them, and text for numbers of 64 bits.
  boolean: (cell) => typeof cell === 'boolean' || cell === 0 || cell === 1 || cell === '0' || cell === '1',
}

/** True when a cell that is not null is what an executor returns for a column of this type. */
export function fitsType(cell: Cell, type: ContractType): boolean {
  return FITS[type](cell)
}
