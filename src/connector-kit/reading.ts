import { InternalError } from '../core/errors.ts'
import { parseInteger } from '../core/money.ts'
import type { Cell } from '../engine/ports.ts'

export { parseInteger }

/** A cell that must be text. */
export function text(cell: Cell | undefined): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return String(cell)
  throw new InternalError(`expected text, found ${cell === undefined ? 'no such column' : typeof cell}`)
}

/** A cell that holds text or nothing. */
export function textOrNull(cell: Cell | undefined): string | null {
  return cell === null ? null : text(cell)
}

/** A cell that holds a whole number or nothing. */
export function integerOrNull(cell: Cell | undefined): number | null {
  return cell === null ? null : parseInteger(cell)
}

/** An instant as answers write it, `YYYY-MM-DDTHH:MM:SS.000Z`. */
export function instant(cell: Cell | undefined): string {
  return `${text(cell).slice(0, 19).replace(' ', 'T')}.000Z`
}

/** The same, or nothing. */
export function instantOrNull(cell: Cell | undefined): string | null {
  return cell === null ? null : instant(cell)
}
