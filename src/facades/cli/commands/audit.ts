import { type Command, optionValue } from '../command.ts'
import type { OptionName } from '../options.ts'
import { writeRecords } from '../records.ts'
import { recordsText } from '../text.ts'
import { withEngine } from './with-engine.ts'

const COLUMNS = [
  'id',
  'at',
  'actor_id',
  'actor_kind',
  'actor_name',
  'action',
  'path',
  'target',
  'remote_address',
  'request_id',
  'outcome',
  'status',
  'count',
]
const TEXT_COLUMNS = ['at', 'actor_id', 'actor_name', 'action', 'target', 'remote_address', 'outcome', 'count']
const OPTIONS: readonly OptionName[] = ['actor-id', 'action', 'outcome', 'start', 'end', 'range', 'limit', 'offset']

/** What was done over HTTP, and to keys at the command line. */
export const AUDIT_COMMAND: Command = {
  name: 'audit',
  description: 'What was done with the service and by whom, the newest first',
  options: OPTIONS,
  run: (invocation) =>
    withEngine(invocation, async ({ auth }) => {
      const { input, io } = invocation
      const given = OPTIONS.map((name) => [name.replaceAll('-', '_'), optionValue(input, name)] as const)
      const page = await auth.audit(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
      const rows = page.rows.map((row) => ({ ...row }))
      const shown = page.offset + rows.length
      const foot = shown < page.total ? `(${rows.length} of ${page.total} events)\n` : ''
      const text = `${recordsText(rows, TEXT_COLUMNS, { bold: io.stdout.color === true })}${foot}`
      writeRecords({ json: page, rows, columns: COLUMNS, text }, input, io)
    }),
}
