import type { Statement } from '../../../src/compiler/statement.ts'
import type { Executor } from '../../../src/ports/executor.ts'

/** The executor, and the statements that ran through it, in order. */
export function recording(executor: Executor): { readonly executor: Executor; readonly statements: readonly Statement[] } {
  const statements: Statement[] = []
  const recorder: Executor = {
    ...executor,
    variant: executor.variant,
    withSnapshot: (work, options) =>
      executor.withSnapshot(
        (snapshot) =>
          work({
            ...snapshot,
            query: (statement) => {
              statements.push(statement)
              return snapshot.query(statement)
            },
          }),
        options,
      ),
  }
  return { executor: recorder, statements }
}
