import type { RunContext } from '../run.ts'
import { openSession, type RequestSession } from './session.ts'

/** Runs `work` on the billing database. If the cache answers the request, another session is opened at the same instant, because the cache lacks its rows. */
export function onReplica<T>(
  { deps, session, source, signal }: Pick<RunContext, 'deps' | 'session' | 'source' | 'signal'>,
  work: (session: RequestSession) => Promise<T>,
): Promise<T> {
  if (source === 'replica') return work(session)
  const { now, zone } = session.calendar
  return deps.executor.withSnapshot(
    async (snapshot) => work(await openSession(deps, snapshot, now, { ...deps.definitions, time_zone: zone })),
    signal === undefined ? {} : { signal },
  )
}
