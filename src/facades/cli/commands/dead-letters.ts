import type { Command } from '../command.ts'
import { writeRecord, writeRecords } from '../records.ts'
import { withEngine } from './with-engine.ts'

const COLUMNS = ['id', 'entity', 'entity_id', 'operation', 'received_at', 'attempts', 'error']
const SOURCE = { name: 'id', description: 'Id of the source' }
const MOST = '1000'

const retry: Command = {
  name: 'sources dead-letters retry',
  description: 'Try dead letters again; the service does so at once, or when it runs again',
  options: [],
  positionals: [SOURCE, { name: 'letter', description: 'Id of a dead letter, or all' }],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const [id = '', letter = 'all'] = invocation.input.positionals
      const retried = await sources.retryDeadLetters(id, {
        ids: letter === 'all' ? letter : [letter],
      })
      writeRecord({ status: 'waiting', retried }, `${retried} wait again\n`, invocation.input, invocation.io)
    }),
}

const drop: Command = {
  name: 'sources dead-letters drop',
  description: 'Drop a dead letter',
  options: [],
  positionals: [SOURCE, { name: 'letter', description: 'Id of the dead letter' }],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const [id = '', letter = ''] = invocation.input.positionals
      await sources.dropDeadLetter(id, letter)
      writeRecord({ status: 'deleted' }, 'Dropped\n', invocation.input, invocation.io)
    }),
}

/** Notifications that were given up. */
export const DEAD_LETTERS_COMMAND: Command = {
  name: 'sources dead-letters',
  description: 'Notifications of a source that were given up, by when they came',
  options: [],
  positionals: [SOURCE],
  subCommands: [retry, drop],
  run: (invocation) =>
    withEngine(invocation, async ({ sources }) => {
      const { total, rows } = await sources.deadLetters(invocation.input.positionals[0] ?? '', { limit: MOST })
      const text = total === 0 ? '(no dead letters)\n' : undefined
      const shown = {
        json: rows,
        rows: rows.map((row) => ({ ...row })),
        columns: COLUMNS,
      }
      writeRecords({ ...shown, ...(text === undefined ? {} : { text }) }, invocation.input, invocation.io)
      if (total > rows.length) invocation.io.stderr.write(`and ${total - rows.length} more\n`)
    }),
}
