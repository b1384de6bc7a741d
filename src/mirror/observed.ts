import type { Statement } from '../compiler/statement.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'

/** Is told of every statement that a snapshot runs. */
export interface Observer {
  began?(statement: Statement): void
  /** Called when a statement has succeeded, and for each row of a stream. */
  came(statement: Statement): void
  failed?(statement: Statement, error: unknown): void
  ended?(statement: Statement): void
}

/** The same snapshot with an observer that is told what it does. */
export function observed(snapshot: Snapshot, observer: Observer): Snapshot {
  async function* stream(statement: Statement): AsyncGenerator<Row> {
    observer.began?.(statement)
    try {
      for await (const row of snapshot.stream(statement)) {
        observer.came(statement)
        yield row
      }
      observer.came(statement)
    } catch (error) {
      observer.failed?.(statement, error)
      throw error
    } finally {
      observer.ended?.(statement)
    }
  }
  return {
    dialect: snapshot.dialect,
    async query(statement) {
      observer.began?.(statement)
      try {
        const rows = await snapshot.query(statement)
        observer.came(statement)
        return rows
      } catch (error) {
        observer.failed?.(statement, error)
        throw error
      } finally {
        observer.ended?.(statement)
      }
    },
    stream,
  }
}
