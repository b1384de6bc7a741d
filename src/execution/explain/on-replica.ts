import type { Statement } from '../../compiler/statement.ts'
import { BEGINNING } from '../../core/periods.ts'
import { integerCell } from '../../ports/cells.ts'
import type { Question } from '../pipeline.ts'
import { compileWithoutRates, type RunContext } from '../run.ts'

/** A compiled statement of a question, and the database for which it is. */
interface CompiledStatement {
  readonly statement: Statement
  readonly database: 'replica' | 'store'
}

/** The session of the replica in which a question is compiled. */
type CompileContext = Pick<RunContext, 'deps' | 'session' | 'sessionUnder'>

/**
 * The statements of a question, compiled in a session of the replica and not run. Statements of the store are really run, because the next
 * statements depend on their rows.
 */
export async function compiledStatements<Plan>(
  question: Pick<Question<Plan, unknown>, 'run'>,
  plan: Plan,
  context: CompileContext,
): Promise<readonly CompiledStatement[]> {
  const found: CompiledStatement[] = []
  await question.run(plan, {
    ...context,
    run: async (statement) => {
      found.push({ statement, database: 'replica' })
      return []
    },
    runInStore: (stored, statement) => {
      found.push({ statement, database: 'store' })
      return stored.query(statement)
    },
    source: 'replica',
    warnings: [],
    warn: () => {},
    data_through: null,
  })
  return found
}

/** The number of test accounts that do not count. The cache does not hold them, so the replica counts. */
export async function countTestAccounts({ deps, session }: Pick<RunContext, 'deps' | 'session'>): Promise<number> {
  if (session.definitions.test_accounts === 'include') return 0
  const window = { from: BEGINNING, to: session.now }
  const count = async (include_test_accounts: boolean) => {
    const params = { ...session.params, include_test_accounts }
    const run = { template: 'data/customer_count', slots: {}, params: {}, window }
    const [row] = await session.snapshot.query(await compileWithoutRates(run, { deps, session: { ...session, params } }))
    return row === undefined ? 0 : integerCell(row, 'customers')
  }
  return (await count(true)) - (await count(false))
}
