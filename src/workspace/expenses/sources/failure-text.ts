import { AppError } from '../../../core/errors.ts'
import { clipped } from '../../../core/text.ts'

const MOST_CHARACTERS = 1_000

/** What is kept of a failure, for people. Only errors that callers may see have words: others may quote what is secret. */
export function failureText(error: unknown): string {
  if (!(error instanceof AppError)) return 'internal: the log of the service says more'
  return clipped(`${error.code}: ${error.message}`, MOST_CHARACTERS)
}
