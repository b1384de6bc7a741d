import { parentPort, workerData } from 'node:worker_threads'
import { type WorkbookHead, writeWorkbook } from './sheets.ts'

// Program of a separate thread for large workbooks, because writing a workbook blocks its thread.

const port = parentPort
if (port === null) throw new Error('this file runs only as a worker thread')

const table: (readonly unknown[])[] = []
port.on('message', (rows: readonly (readonly unknown[])[] | null) => {
  if (rows !== null) for (const row of rows) table.push(row)
  else void finish()
})

async function finish(): Promise<void> {
  const bytes = await writeWorkbook(workerData as WorkbookHead, table)
  port?.postMessage(bytes, [bytes.buffer])
  port?.close()
}
