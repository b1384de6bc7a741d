import { type Command, UsageError } from '../command.ts'
import { writeRecord, writeRecords } from '../records.ts'
import { DEAD_LETTERS_COMMAND } from './dead-letters.ts'
import { withEngine } from './with-engine.ts'

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
  description: 'Databases, accounting platforms and series of files, by id',
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
  description: 'Where to go with a browser to connect a company of an accounting platform',
  options: [],
  positionals: [{ name: 'type', description: 'Name of the platform, such as quickbooks' }],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const url = sources.consentAddress(invocation.input.positionals[0] ?? '')
      const text = `While \`plumbline serve\` runs, open this address in a browser:\n${url}\n`
      writeRecord({ url }, text, invocation.input, invocation.io)
    }),
}

const disconnect: Command = {
  name: 'sources disconnect',
  description: 'End the connection of a source; what was read from it stays and counts',
  options: [],
  positionals: [{ name: 'id', description: 'Id of the source' }],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const [id] = invocation.input.positionals
      if (id === undefined) throw new UsageError(['argument <id> is missing'])
      const ended = await sources.disconnect(id)
      const text = ended.revoked
        ? 'Disconnected\n'
        : 'Disconnected here; the platform could not be told and may still list the connection\n'
      writeRecord({ status: 'disconnected', ...ended }, text, invocation.input, invocation.io)
    }),
}

/** Where books come from. */
export const SOURCES_COMMAND: Command = {
  name: 'sources',
  description: 'Sources of figures and books',
  options: [],
  subCommands: [list, connect, disconnect, DEAD_LETTERS_COMMAND],
}
