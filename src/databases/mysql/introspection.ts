import type { Statement } from '../../compiler/statement.ts'
import { InternalError } from '../../core/errors.ts'
import type { Cell } from '../../ports/rows.ts'

/** A statement about the server itself. */
export function statement(text: string): Statement {
  return { text, values: [], label: 'plumbline state' }
}

/** A cell as text; null where there is none. */
export function textOf(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell)
}

/** What is read; undefined where the server does not know the statement, or the role may not ask. */
export async function orUnread<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InternalError) return undefined
    throw error
  }
}
