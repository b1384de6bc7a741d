import type { Statement } from '../../compiler/statement.ts'
import { parseInteger } from '../../core/money.ts'
import type { Executor } from '../../ports/executor.ts'
import type { LakePlace } from './place.ts'
import { createPublications } from './publications.ts'
import { tried } from './tries.ts'

interface MakingOptions {
  readonly writer: Executor
  readonly place: LakePlace
  readonly onFailure: (error: unknown) => void
  readonly onRetry?: ((error: unknown) => void) | undefined
}

/** Makes tables, and knows how many rows were written to each. */
export interface Making {
  readonly written: Map<string, number>
  /** Runs the statements of one table, one after the other. If the server is lost meanwhile, all of them run again. */
  make(table: string, statements: readonly Statement[]): Promise<void>
  /** Runs a statement that answers with a number of rows. */
  countOf(statement: Statement): Promise<number>
}

/** Makes tables by the writer of a publication. `onFailure` is called with failures that end no publication. */
export function createMaking({ writer, place, onFailure, onRetry }: MakingOptions, signal: AbortSignal): Making {
  const written = new Map<string, number>()
  const countOf = async (statement: Statement): Promise<number> => {
    const [row] = await writer.withSnapshot((snapshot) => snapshot.query(statement), { signal })
    return parseInteger(Object.values(row ?? {})[0] ?? 0)
  }
  return {
    written,
    countOf,
    make(table, statements) {
      const makeAll = async (): Promise<void> => {
        let rows = 0
        for (const statement of statements) rows += await countOf(statement)
        written.set(table, rows)
      }
      const again = {
        drop: () => createPublications(within(writer, signal), place).drop([table]),
        onRetry: (error: unknown) => {
          onFailure(error)
          onRetry?.(error)
        },
      }
      return tried(makeAll, again, signal)
    },
  }
}

/** The writer, until the signal ends its work. */
export function within(writer: Executor, signal: AbortSignal): Pick<Executor, 'withSnapshot'> {
  return { withSnapshot: (work, options) => writer.withSnapshot(work, { ...options, signal }) }
}
