import { setImmediate } from 'node:timers/promises'
import PQueue from 'p-queue'
import { InternalError } from '../../../core/errors.ts'
import { startThread } from '../../../core/thread.ts'
import type { WorkbookHead } from './workbook.ts'

/** Rows that are handed over at a time: what comes between waits for no more than these. */
const ROWS_AT_ONCE = 500

/** A thread takes a processor and a copy of the rows, so that one at a time is enough. */
const threads = new PQueue({ concurrency: 1 })

/** The XLSX file of many rows, written in a thread of its own while this one goes on with other requests. */
export function writeLargeWorkbook<Row>(
  head: WorkbookHead,
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly unknown[],
): Promise<Uint8Array<ArrayBuffer>> {
  return threads.add(async () => {
    const worker = startThread('worker', import.meta.url, head)
    const written = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new InternalError('The thread of a workbook has ended before it was written.')))
    })
    const handedOver = (async () => {
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
        worker.postMessage(rows.slice(start, start + ROWS_AT_ONCE).map(cellsOf))
        await setImmediate()
      }
      worker.postMessage(null)
    })()
    try {
      const [bytes] = await Promise.all([written, handedOver])
      return bytes
    } finally {
      await worker.terminate()
    }
  })
}
