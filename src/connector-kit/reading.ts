export { parseInteger } from '../core/money.ts'
export { instantCell, integerCell, integerOrNull, text, textCell } from '../ports/cells.ts'
