import { literalText } from '../../compiler/literal.ts'
import type { Statement, StatementCost } from '../../compiler/statement.ts'
import type { Row } from '../../ports/rows.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import type { RunContext } from '../run.ts'
import { runAsIs } from '../session/store-reader.ts'
import type { RanStatement, WrittenStatement } from './explanation.ts'

/** The statements of a running request, and the subscriptions that it leaves out. Both grow while it runs. */
export interface Recording {
  readonly context: RunContext
  readonly sql: readonly RanStatement[]
  readonly unpriced: ReadonlySet<string>
}

/** Records every statement that runs in the context. */
export function recorded(context: RunContext): Recording {
  const sql: RanStatement[] = []
  const unpriced = new Set<string>()
  const run = async (
    database: RanStatement['database'],
    where: Pick<Snapshot, 'dialect' | 'client'>,
    statement: Statement,
    work: (watched: Statement) => Promise<readonly Row[]>,
  ) => {
    let cost: StatementCost | undefined
    const onCost = (reported: StatementCost) => {
      cost = reported
    }
    const started = performance.now()
    const rows = await work({ ...statement, onCost })
    const ms = Math.round(performance.now() - started)
    sql.push({ database, ...written(statement, where), ms, rows: rows.length, ...(cost === undefined ? {} : { cost }) })
    return rows
  }
  const { runInStore = runAsIs, session } = context
  return {
    sql,
    unpriced,
    context: {
      ...context,
      run: (statement) => run(context.source, session.snapshot, statement, (watched) => context.run(watched)),
      runInStore: (snapshot, statement) => run('store', snapshot, statement, () => runInStore(snapshot, statement)),
      onUnpriced: (subscriptions) => {
        for (const id of subscriptions) unpriced.add(id)
      },
    },
  }
}

/** A statement, and its form for a client of the database: one text that leaves the data and the session of the client as they were. */
export function written(statement: Statement, { dialect, client }: Pick<Snapshot, 'dialect' | 'client'>): WrittenStatement {
  const { text, values } = statement
  const lines = [...(client?.before ?? []), `${literalText(statement, dialect.name)}\n`, ...(client?.after ?? [])]
  return { text, values, literal: lines.map((line) => `${line};`).join('\n') }
}
