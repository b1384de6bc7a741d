import { setImmediate } from 'node:timers/promises'
import { AppError, InternalError } from '../../../core/errors.ts'
import { createGate } from '../../../core/gate.ts'
import { startThread } from '../../../core/thread.ts'
import type { WorkbookHead } from './workbook.ts'

/** Rows that are handed over at a time: what comes between waits for no more than these. */
const ROWS_AT_ONCE = 500
/** A thread takes a processor and a copy of the rows; answers that wait for it are kept in memory. */
const LIMITS = { size: 1, queueSize: 8, queueMs: 60_000 }
const RETRY_SECONDS = 5

const gate = createGate(
  LIMITS,
  () =>
    new AppError('overloaded', 'More large workbooks are asked for than can be written; ask again later, or for CSV.', {
      context: { retry_after: RETRY_SECONDS },
    }),
)

/**
 * The XLSX file of many rows, written in a thread of its own while this one goes on with other requests. AppError `overloaded` where too
 * many wait for it.
 */
export async function writeLargeWorkbook<Row>(
  head: WorkbookHead,
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly unknown[],
): Promise<Uint8Array<ArrayBuffer>> {
  const leave = await gate.enter()
  try {
    return await writeInThread(head, rows, cellsOf)
  } finally {
    leave()
  }
}

async function writeInThread<Row>(
  head: WorkbookHead,
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly unknown[],
): Promise<Uint8Array<ArrayBuffer>> {
  const worker = startThread('worker', import.meta.url, head)
  const written = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new InternalError('The thread of a workbook has ended before it was written.')))
  })
  const handOver = async () => {
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      worker.postMessage(rows.slice(start, start + ROWS_AT_ONCE).map(cellsOf))
      await setImmediate()
    }
    worker.postMessage(null)
  }
  try {
    const [bytes] = await Promise.all([written, handOver()])
    return bytes
  } finally {
    await worker.terminate()
  }
}
