import { withoutControls } from '../../../core/text.ts'
import type { ApiKey } from '../../../engine/engine.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, type CommandInput, optionValue, UsageError, withEngine } from '../command.ts'
import type { OptionName } from '../options.ts'
import { writeRecord, writeRecords } from '../output.ts'

const COLUMNS = ['id', 'name', 'key_prefix', 'scopes', 'created_at', 'last_used_at', 'expires_at', 'revoked_at']

/** The actor of changes made at the command line. Access to the store gives every right. */
const COMMAND_LINE = { actor: { id: 'command_line', kind: 'command_line', name: null } } as const

const list: Command = {
  name: 'keys list',
  description: 'List API keys, newest first, including revoked keys',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async ({ auth }) => {
      const keys = await auth.keys.list()
      const rows = keys.map((key) => ({ ...key, scopes: key.scopes.join(' ') }))
      const text = rows.length === 0 ? { text: '(no keys)\n' } : {}
      writeRecords({ json: keys, rows, columns: COLUMNS, ...text }, invocation.input, invocation.io)
    }),
}

const create: Command = {
  name: 'keys create',
  description: 'Create an API key; it is shown only once',
  options: ['name', 'scope', 'expires-at'],
  texts: { name: { valueHint: 'text', description: 'Name of the key' } },
  positionals: [{ name: 'name', description: 'Name of the key', optional: true }],
  examples: ['keys create grafana --scope read:aggregate', 'keys create operator --scope admin --expires-at 2027-01-31'],
  run: (invocation) => {
    const { input, io } = invocation
    const body = bodyOf(input)
    return withEngine(invocation, async ({ auth }) => {
      const key = await auth.keys.create(body, COMMAND_LINE)
      io.stderr.write('The key is shown only once. Store it as a secret.\n')
      writeRecord(key, `${key.key}\n${keyText(key)}`, input, io)
    })
  },
}

const revoke: Command = {
  name: 'keys revoke',
  description: 'Revoke an API key; the next request with it is refused',
  options: [],
  positionals: [{ name: 'id', description: 'Id of the key' }],
  run: (invocation) =>
    withEngine(invocation, async ({ auth }) => {
      await auth.keys.revoke(invocation.input.positionals[0] ?? '', COMMAND_LINE)
      writeRecord({ status: 'revoked' }, 'Revoked\n', invocation.input, invocation.io)
    }),
}

/** API keys of the workspace. */
export const KEYS_COMMAND: Command = {
  name: 'keys',
  description: 'Manage the API keys of the HTTP API',
  options: [],
  subCommands: [list, create, revoke],
}

function bodyOf(input: CommandInput): Readonly<Record<string, unknown>> {
  const names = [input.positionals[0], optionValue(input, 'name')].filter((given) => given !== undefined)
  if (names.length !== 1) throw new UsageError(['a key needs exactly one name: plumbline keys create <name>'])
  const scopes = input.values.get('scope')
  const expires_at = optionValue(input, 'expires-at')
  return {
    name: names[0],
    ...(scopes === undefined ? {} : { scopes }),
    ...(expires_at === undefined ? {} : { expires_at }),
  }
}

function keyText({ id, name, scopes, expires_at }: ApiKey): string {
  const end = expires_at === null ? 'does not expire' : `expires at ${expires_at}`
  return `${withoutControls(name)}: ${scopes.join(' ')}, ${end}, id ${id}\n`
}

const EVENT_COLUMNS = [
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
const EVENT_TEXT_COLUMNS = ['at', 'actor_id', 'actor_name', 'action', 'target', 'remote_address', 'outcome', 'count']
const AUDIT_OPTIONS: readonly OptionName[] = ['actor-id', 'action', 'outcome', 'start', 'end', 'range', 'limit', 'offset']

/** The audit log: events over HTTP, and changes of keys at the command line. */
export const AUDIT_COMMAND: Command = {
  name: 'audit',
  description: 'Show the audit log: who did what, newest first',
  options: AUDIT_OPTIONS,
  run: (invocation) =>
    withEngine(invocation, async ({ auth }) => {
      const { input, io } = invocation
      const given = AUDIT_OPTIONS.map((name) => [name.replaceAll('-', '_'), optionValue(input, name)] as const)
      const page = await auth.audit(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
      const rows = page.rows.map((row) => ({ ...row }))
      const shown = page.offset + rows.length
      const foot = shown < page.total ? `(${rows.length} of ${page.total} events)\n` : ''
      const text = `${recordsText(rows, EVENT_TEXT_COLUMNS, { bold: io.stdout.color === true })}${foot}`
      writeRecords({ json: page, rows, columns: EVENT_COLUMNS, text }, input, io)
    }),
}
