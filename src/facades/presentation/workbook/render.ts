import { setImmediate } from 'node:timers/promises'
import { AppError, InternalError } from '../../../core/errors.ts'
import { createGate } from '../../../core/gate.ts'
import { threadProgram } from '../../../core/thread.ts'
import type { Answer, MetricDefinition } from '../../../engine/engine.ts'
import { inFile, recordsOf, rowOf } from '../table.ts'
import { type Asked, type WorkbookHead, writeWorkbook } from './sheets.ts'

/** Up to this many rows are written in this thread. Starting another thread would take longer. */
const ROWS_HERE = 2_000

/** The XLSX body with one sheet each for answer, question and definitions. `metric` is undefined for lists of records. */
export async function renderXlsx(
  answer: Answer,
  asked: Asked,
  metric: MetricDefinition | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const table = inFile(answer)
  const { columns, meta } = table
  const head = { columns, meta, asked, metric: metric === undefined ? undefined : meaningOf(metric) }
  const records = recordsOf(table)
  if (records.length <= ROWS_HERE) return writeWorkbook(head, records.map(rowOf(columns)))
  return writeLargeWorkbook(head, records, rowOf(columns))
}

function meaningOf({ name, summary, docs: { formula, assumptions, edge_cases } }: MetricDefinition) {
  return { name, summary, docs: { formula, assumptions, edge_cases } }
}

/** Rows passed to the thread at a time. Other work waits for one such group, not for all rows. */
const ROWS_AT_ONCE = 500
/**
 * One thread at a time, because each thread uses a processor and copies the rows. The queue is short, because waiting answers
 * stay in memory.
 */
const LIMITS = { size: 1, queueSize: 8, queueMs: 60_000 }
const RETRY_SECONDS = 5

const startThread = threadProgram('workbook.thread', import.meta.url)

const gate = createGate(
  LIMITS,
  () =>
    new AppError('overloaded', 'Too many large workbooks are requested at a time. Retry later, or request CSV.', {
      context: { retry_after: RETRY_SECONDS },
    }),
)

/**
 * The XLSX file of many rows, written in a separate thread. AppError `overloaded` if too many are waiting.
 */
async function writeLargeWorkbook<Row>(
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
  const worker = startThread(head)
  const written = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new InternalError('The thread of a workbook ended before it was written.')))
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
