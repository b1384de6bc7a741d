import type { Statement } from '../../compiler/statement.ts'
import { InternalError } from '../../core/errors.ts'
import type { Row } from '../../ports/rows.ts'
import { driverCode } from '../failures.ts'

/** feature_not_supported, undefined_function, undefined_column and insufficient_privilege: the server does not tell this, or not this role. */
const UNSUPPORTED = ['0A000', '42883', '42703', '42501']

/** A statement about the server itself. */
export function statement(text: string): Statement {
  return { text, values: [], label: 'plumbline state' }
}

/** A cell as text; null where there is no row. */
export function textOf(row: Row | undefined, column: string): string | null {
  const cell = row?.[column] ?? null
  return cell === null ? null : String(cell)
}

/** What is read; undefined where the server does not support or allow it. */
export async function unlessUnsupported<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InternalError && UNSUPPORTED.includes(driverCode(error.cause) ?? '')) return undefined
    throw error
  }
}
