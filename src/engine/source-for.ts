import type { EngineDependencies } from '../execution/dependencies.ts'

/** Asks the billing database, because the cache does not hold what the question reads. */
export const REPLICA = { source: 'replica' } as const

/** Where a question that reads these relations has to be asked. Empty if the cache may answer it. */
export function sourceFor(
  reads: readonly string[],
  cache: EngineDependencies['cache'],
): { readonly source?: typeof REPLICA.source } {
  return cache === undefined || reads.every(cache.holds) ? {} : REPLICA
}
