import type { RunContext } from '../run.ts'
import { openSession, type RequestSession } from './session.ts'

/**
 * Runs `work` in a session over the billing database: that of the request, or another one at the request's instant if the cache answers the
 * request. The cache has no rows of the billing database.
 */
export function onReplica<T>(
  { deps, session, source }: Pick<RunContext, 'deps' | 'session' | 'source'>,
  work: (session: RequestSession) => Promise<T>,
): Promise<T> {
  if (source === 'replica') return work(session)
  return deps.executor.withSnapshot(async (snapshot) => work(await openSession(deps, snapshot, session.now)))
}
