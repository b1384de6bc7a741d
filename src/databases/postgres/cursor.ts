import type { Statement } from '../../compiler/statement.ts'
import type { Row } from '../../ports/rows.ts'

const BATCH_ROWS = 5_000
const CURSOR = 'plumbline_stream'

type Send = (statement: Statement) => Promise<readonly Row[]>

/** Reads the rows of a statement in batches through a cursor of the open transaction. An error ends the transaction and its cursor. */
export async function* cursorBatches(send: Send, statement: Statement): AsyncGenerator<readonly Row[]> {
  const control = (text: string) => send({ text, values: [], label: statement.label })
  let failed = false
  const noteFailure = (error: unknown): never => {
    failed = true
    throw error
  }
  await send({ ...statement, text: `declare ${CURSOR} no scroll cursor for ${statement.text}` })
  try {
    for (;;) {
      const rows = await control(`fetch forward ${BATCH_ROWS} from ${CURSOR}`).catch(noteFailure)
      if (rows.length > 0) yield rows
      if (rows.length < BATCH_ROWS) return
    }
  } finally {
    if (!failed) await control(`close ${CURSOR}`)
  }
}
