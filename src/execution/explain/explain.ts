import type { Definitions } from '../../core/definitions.ts'
import type { EngineDependencies } from '../dependencies.ts'
import type { Question } from '../pipeline.ts'
import { openSession, type RequestSession } from '../session/session.ts'
import { describeOrigin, type Explanation } from './explanation.ts'
import { compiledStatements, countTestAccounts } from './on-replica.ts'
import { type Recording, written } from './record.ts'

/** Plans a question in a session of the replica, whose attributes and segments may have other names than those of the cache. */
export type PlanInSession<Plan> = (session: RequestSession) => Promise<Plan>

/** How the answer of a recorded question was made. An answer of the cache is also compiled for the replica. */
export async function explain<Plan>(
  question: Question<Plan, unknown>,
  plan: PlanInSession<Plan>,
  { sql, unpriced, context }: Recording,
  deps: EngineDependencies,
): Promise<Explanation> {
  const origin = describeOrigin(context, question.set)
  const excluded = (test_accounts: number | null) => ({ test_accounts, unpriced_subscriptions: [...unpriced].sort() })
  if (context.source === 'replica')
    return { ...origin, sql, replica_sql: [], excluded: excluded(await countTestAccounts(context)) }
  // No statement reads several billing databases together, so there is none to show.
  if (deps.isHeldOnly === true) return { ...origin, sql, replica_sql: [], excluded: excluded(null) }
  const { now } = context.session.calendar
  return deps.executor.withSnapshot(
    async (snapshot) => {
      const sessionUnder = (definitions: Definitions) => openSession(deps, snapshot, now, definitions)
      const session = await sessionUnder(context.session.definitions)
      const compiled = await compiledStatements(question, await plan(session), { deps, session, sessionUnder })
      const ofReplica = compiled.filter(({ database }) => database === 'replica')
      return {
        ...origin,
        sql,
        replica_sql: ofReplica.map(({ statement }) => written(statement, snapshot)),
        excluded: excluded(await countTestAccounts({ deps, session })),
      }
    },
    context.signal === undefined ? {} : { signal: context.signal },
  )
}
