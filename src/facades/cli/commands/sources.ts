import { withoutControls } from '../../../core/text.ts'
import type { BackfillReport } from '../../../engine/engine.ts'
import { type Command, optionValue, UsageError, withEngine } from '../command.ts'
import type { Io } from '../io.ts'
import { writeRecord, writeRecords } from '../output.ts'

const COLUMNS = [
  'id',
  'type',
  'name',
  'kind',
  'status',
  'config',
  'created_at',
  'last_synced_at',
  'last_run',
  'waiting',
  'dead_letters',
]
const TEXT_COLUMNS = ['id', 'type', 'name', 'kind', 'status', 'last_synced_at', 'waiting', 'dead_letters']

const list: Command = {
  name: 'sources list',
  description: 'List databases, accounting platforms and imported files, by id',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const found = await sources.list()
      const rows = found.map((source) => ({ ...source }))
      writeRecords({ json: found, rows, columns: COLUMNS, text_columns: TEXT_COLUMNS }, invocation.input, invocation.io)
    }),
}

const connect: Command = {
  name: 'sources connect',
  description: 'Print the address that connects a company of an accounting platform',
  options: [],
  positionals: [{ name: 'type', description: 'Name of the platform, such as quickbooks' }],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const url = sources.consentAddress(invocation.input.positionals[0] ?? '')
      const text = `While \`plumbline serve\` is running, open this address in a browser:\n${url}\n`
      writeRecord({ url }, text, invocation.input, invocation.io)
    }),
}

const disconnect: Command = {
  name: 'sources disconnect',
  description: 'Disconnect a source; data read from it stays and still counts',
  options: [],
  positionals: [{ name: 'id', description: 'Id of the source' }],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const [id] = invocation.input.positionals
      if (id === undefined) throw new UsageError(['argument <id> is missing'])
      const ended = await sources.disconnect(id)
      const text = ended.revoked
        ? 'Disconnected\n'
        : 'Disconnected here; the platform could not be reached and may still list the connection\n'
      writeRecord({ status: 'disconnected', ...ended }, text, invocation.input, invocation.io)
    }),
}

const LETTER_COLUMNS = ['id', 'entity', 'entity_id', 'operation', 'received_at', 'attempts', 'error']
const SOURCE = { name: 'id', description: 'Id of the source' }
const MAX_LETTERS = '1000'

const retry: Command = {
  name: 'sources dead-letters retry',
  description: 'Retry dead letters; the service does this at once, or when it next runs',
  options: [],
  positionals: [SOURCE, { name: 'letter', description: 'Id of a dead letter, or all' }],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const [id = '', letter = 'all'] = invocation.input.positionals
      const retried = await sources.retryDeadLetters(id, {
        ids: letter === 'all' ? letter : [letter],
      })
      writeRecord({ status: 'waiting', retried }, `${retried} queued for retry\n`, invocation.input, invocation.io)
    }),
}

const drop: Command = {
  name: 'sources dead-letters drop',
  description: 'Delete a dead letter',
  options: [],
  positionals: [SOURCE, { name: 'letter', description: 'Id of the dead letter' }],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const [id = '', letter = ''] = invocation.input.positionals
      await sources.dropDeadLetter(id, letter)
      writeRecord({ status: 'deleted' }, 'Deleted\n', invocation.input, invocation.io)
    }),
}

/** Dead letters: failed notifications that are not retried. */
const DEAD_LETTERS_COMMAND: Command = {
  name: 'sources dead-letters',
  description: 'List the dead letters of a source, oldest first: failed notifications that are not retried',
  options: [],
  positionals: [SOURCE],
  subCommands: [retry, drop],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const { total, rows } = await sources.deadLetters(invocation.input.positionals[0] ?? '', { limit: MAX_LETTERS })
      const text = total === 0 ? '(no dead letters)\n' : undefined
      const shown = {
        json: rows,
        rows: rows.map((row) => ({ ...row })),
        columns: LETTER_COLUMNS,
      }
      writeRecords({ ...shown, ...(text === undefined ? {} : { text }) }, invocation.input, invocation.io)
      if (total > rows.length) invocation.io.stderr.write(`and ${total - rows.length} more\n`)
    }),
}

const RUN_COLUMNS = ['status', 'source_id', 'detail', 'run']

/** Reads all books of accounting platforms. */
export const BACKFILL_COMMAND: Command = {
  name: 'backfill',
  description: 'Read all books of the sources of a type; databases are read live and need no backfill',
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
          columns: RUN_COLUMNS,
          text: reports.map(reportText).join(''),
        },
        input,
        io,
      )
    }),
}

// On a terminal, one line that is overwritten with each update.
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
  return changed.length === 0 ? 'nothing changed' : changed.map(([kind, count]) => `${count} ${kind}`).join(', ')
}

/** Sources of figures and books. */
export const SOURCES_COMMAND: Command = {
  name: 'sources',
  description: 'Manage the sources of figures and books',
  options: [],
  subCommands: [list, connect, disconnect, DEAD_LETTERS_COMMAND],
}
