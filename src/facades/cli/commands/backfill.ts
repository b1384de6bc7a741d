import type { BackfillReport } from '../../../engine/engine.ts'
import { type Command, optionValue } from '../command.ts'
import type { Io } from '../io.ts'
import { writeRecords } from '../records.ts'
import { withoutControls } from '../table.ts'
import { withEngine } from './with-engine.ts'

const COLUMNS = ['status', 'source_id', 'detail', 'run']

/** Reads the books of accounting platforms. */
export const BACKFILL_COMMAND: Command = {
  name: 'backfill',
  description: 'Read all books of the sources of a type; databases are read live and need none',
  options: ['source', 'source-id', 'since'],
  required: ['source'],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const { input, io } = invocation
      const reports = await sources
        .pull({
          type: optionValue(input, 'source') ?? '',
          source_id: optionValue(input, 'source-id'),
          since: optionValue(input, 'since'),
          onProgress: (id, counts) => showProgress(io, id, counts),
          signal: io.stop,
        })
        .finally(() => showProgress(io))
      const rows = reports.map((report) => ({ ...report }))
      writeRecords(
        {
          json: reports,
          rows,
          columns: COLUMNS,
          text: reports.map(reportText).join(''),
        },
        input,
        io,
      )
    }),
}

// One line that is written over again, for those who watch.
function showProgress({ stderr }: Io, id?: string, counts: Readonly<Record<string, number>> = {}): void {
  if (stderr.isTTY !== true) return
  stderr.write(id === undefined ? '\r\u001b[K' : `\r\u001b[K${withoutControls(id)}: ${countsText(counts)} so far`)
}

function reportText(report: BackfillReport): string {
  const id = withoutControls(report.source_id)
  if (report.status === 'nothing_to_backfill') return `${id}: ${report.detail}\n`
  return `${id}: ${countsText(report.run.counts)}\n`
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const changed = Object.entries(counts).filter(([, count]) => count > 0)
  return changed.length === 0 ? 'nothing has changed' : changed.map(([kind, count]) => `${count} ${kind}`).join(', ')
}
