import { driverCode } from '../failures.ts'
import type { QueryCounts } from '../options.ts'
import { TrinoFailure } from './errors.ts'

/** Counts that begin at zero. */
export function createQueryCounts(): QueryCounts {
  const [queries, retries] = [new Map<string, number>(), new Map<string, number>()]
  const add = (counts: Map<string, number>, code: string) => void counts.set(code, (counts.get(code) ?? 0) + 1)
  return {
    ended: (error) => add(queries, error === undefined ? 'ok' : codeOf(error)),
    repeated: (error) => add(retries, codeOf(error)),
    figures: () => ({ queries: Object.fromEntries(queries), retries: Object.fromEntries(retries) }),
  }
}

function codeOf(error: unknown): string {
  if (error instanceof TrinoFailure) return error.code
  if (error instanceof Error && error.cause !== undefined) return codeOf(error.cause)
  return driverCode(error) ?? 'other'
}
