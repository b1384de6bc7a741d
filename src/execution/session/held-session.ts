import { AppError } from '../../core/errors.ts'
import type { Executor } from '../../ports/executor.ts'
import type { EngineDependencies } from '../dependencies.ts'
import { openSession, type RequestSession, sessionOver } from './session.ts'

/** The refusal of a question that the cache cannot answer, for an engine of which only the cache can. */
export function heldOnlyRefusal(): AppError {
  const text =
    'This question reads the billing tables, and they are in several databases (lake.databases). Only questions that publications answer are possible.'
  return new AppError('unsupported_by_connector', text)
}

/**
 * Runs `work` on the cache, for an engine of which only the cache can answer. As long as the cache holds nothing, the session is open and knows tenants and
 * currencies, and a statement about other rows is refused.
 */
export async function inHeldSession<T>(
  deps: EngineDependencies,
  executor: Pick<Executor, 'withSnapshot'>,
  work: (session: RequestSession) => Promise<T>,
): Promise<T> {
  const { cache, clock, definitions } = deps
  if (cache !== undefined && (await cache.restore()) === null) {
    const found = await cache.read(
      () => ({ now: clock.now(), definitions }),
      (reading) => work(sessionOver(deps, { ...reading, catalog: reading.catalogOf(definitions) }, clock.now(), definitions)),
    )
    if (found !== null) return found.value
  }
  return executor.withSnapshot(async (snapshot) => work(await openSession(deps, snapshot, clock.now())))
}
