import { AppError } from '../core/errors.ts'
import type { ResultRow } from '../query/cells.ts'
import type { Warning } from '../query/warning.ts'
import type { Answer, AskOptions } from './answers.ts'
import type { RunStatement } from './context.ts'
import { hashDefinitions } from './definitions-hash.ts'
import type { EngineDependencies } from './dependencies.ts'
import { dataThrough, judgeLag } from './lag.ts'
import type { CacheReading } from './read-through.ts'
import { openSession, type RequestSession, sessionOver } from './session.ts'

/** What a request works with inside its snapshot. */
export interface Work {
  readonly session: RequestSession
  readonly run: RunStatement
  readonly warn: (warning: Warning) => void
  /** Instant up to which the snapshot is complete. */
  readonly data_through: string
}

export type Shaped = Pick<Answer, 'data' | 'kind' | 'columns'>

export interface AnswerOptions extends AskOptions {
  /** `replica`: the cache does not hold what is asked for; `cache`: an answer from there or none. */
  readonly source?: 'replica' | 'cache'
}

/** Runs requests that have been checked: each in one snapshot, with what is known about its answer. */
export interface Answering {
  answer<T extends object>(
    now: Date,
    options: AnswerOptions,
    work: (around: Work) => Promise<T>,
  ): Promise<T & Pick<Answer, 'meta'>>
}

/** One request, one moment: rights and lag are judged first, then everything is read in one read-only snapshot. */
export function createAnswering(deps: EngineDependencies): Answering {
  const { executor } = deps
  const checkRole = readOnlyCheck(deps)
  return {
    async answer(now, options, work) {
      options.signal?.throwIfAborted()
      await checkRole()
      const state = await executor.state()
      const lagging = judgeLag(state, deps.replica)
      const data_through = dataThrough(state, now)
      const answerIn = async (session: RequestSession) => {
        const warnings: Warning[] = [...lagging]
        const run: RunStatement = (statement): Promise<readonly ResultRow[]> => session.snapshot.query(statement)
        const warn = (warning: Warning) => addWarning(warnings, warning)
        const shaped = await work({ session, run, warn, data_through })
        return {
          ...shaped,
          meta: {
            data_through,
            definitions: hashDefinitions(session.definitions),
            warnings,
            base_currency: session.definitions.base_currency,
          },
        }
      }
      const read = (reading: CacheReading) => answerIn(sessionOver(deps, reading, now))
      const { source } = options
      const cache = source === 'replica' ? undefined : deps.cache
      const readCache = async () => cache?.read({ now, definitions: deps.definitions }, read, options.signal)
      const wasFilled = cache?.state().status === 'ready'
      const cached = await readCache()
      if (cached) return cached.value
      if (source === 'cache') throw new AppError('connector_unavailable', 'The cache cannot answer now.')
      try {
        return await executor.withSnapshot(async (snapshot) => answerIn(await openSession(deps, snapshot, now)), options)
      } catch (error) {
        // What takes the database too long is worth the filling: it reads more, but every statement of it is short.
        if (!isTimeout(error) || wasFilled || (await cache?.ready())?.status !== 'ready') throw error
        options.signal?.throwIfAborted()
        const late = await readCache()
        if (late) return late.value
        throw error
      }
    },
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.code === 'query_timeout'
}

// A warning may come from several statements or metrics of one answer: it stands once, with the largest count.
function addWarning(warnings: Warning[], warning: Warning): void {
  const index = warnings.findIndex((other) => other.code === warning.code)
  const known = warnings[index]
  if (known === undefined) warnings.push(warning)
  else if ((warning.count ?? 0) > (known.count ?? 0)) warnings[index] = warning
}

// Asked once; a role does not lose a privilege while the process runs, and a refused start stays refused until it does.
function readOnlyCheck({ executor, replica }: EngineDependencies): () => Promise<void> {
  let passed = !replica.require_read_only
  return async () => {
    if (passed) return
    const privileges = await executor.writePrivileges()
    if (privileges.length > 0) {
      throw new AppError(
        'connector_unavailable',
        `The database role may write, and require_read_only is on: ${privileges.join('; ')}.`,
      )
    }
    passed = true
  }
}
