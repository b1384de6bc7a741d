import { InternalError } from '../core/errors.ts'
import type { Cell } from '../engine/ports.ts'

export { parseInteger } from '../core/money.ts'

/** A cell that must be text. */
export function text(cell: Cell | undefined): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return String(cell)
  throw new InternalError(`expected text, found ${cell === undefined ? 'no such column' : typeof cell}`)
}
