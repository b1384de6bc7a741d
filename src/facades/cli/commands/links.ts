import { withoutControls } from '../../../core/text.ts'
import { linkNumbers } from '../../presentation/briefing/link-numbers.ts'
import { type Command, type CommandInput, optionValue, UsageError, withEngine } from '../command.ts'
import { writeRecord, writeRecords } from '../output.ts'
import { dashboardNamed, MACHINE } from './report.ts'

const COLUMNS = [
  ...['id', 'kind', 'name', 'moment', 'names', 'created_by', 'created_at', 'expires_at', 'revoked_at', 'opened_at'],
]

/** The actor of changes made at the command line. Access to the store gives every right. */
const COMMAND_LINE = { actor: { id: MACHINE.id, kind: 'command_line', name: null } } as const

const list: Command = {
  name: 'links list',
  description: 'List links, newest first, including expired and revoked ones',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async ({ links }) => {
      const found = await links.list(MACHINE)
      const rows = found.map((link) => ({ ...link, name: link.name === null ? null : withoutControls(link.name) }))
      const text = rows.length === 0 ? { text: '(no links)\n' } : {}
      writeRecords({ json: found, rows, columns: COLUMNS, ...text }, invocation.input, invocation.io)
    }),
}

const create: Command = {
  name: 'links create',
  description: 'Create a link to a dashboard, or with --chart to the rows of a saved chart; it is shown only once',
  options: ['chart', 'fixed', 'names', 'expires-at'],
  texts: { 'expires-at': { valueHint: 'date|instant', description: 'Expiry, at most a year ahead; default: in 30 days' } },
  positionals: [{ name: 'dashboard', description: 'Name or id of a dashboard', optional: true }],
  examples: ['links create Monday --fixed', 'links create --chart 5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005 --expires-at 2027-01-31'],
  run: async (invocation) => {
    const { input, io, product } = invocation
    const [dashboard] = input.positionals
    const chart = optionValue(input, 'chart')
    if ((dashboard === undefined) === (chart === undefined))
      throw new UsageError([
        'a link needs a dashboard, or --chart with the id of a saved chart: plumbline links create <dashboard>',
      ])
    const opened = await product.open({ config: optionValue(input, 'config') })
    try {
      const { engine, channels } = opened
      const target =
        chart === undefined ? { dashboard_id: await dashboardNamed(dashboard ?? '', engine) } : { kind: 'feed', chart_id: chart }
      const link = await engine.links.create(
        { ...target, ...choicesOf(input) },
        COMMAND_LINE,
        MACHINE,
        linkNumbers(engine, opened.today),
      )
      const origin = channels?.origin ?? ''
      const address = link.kind === 'page' ? `${origin}/shared#${link.token}` : `${origin}/feed/${link.token}.csv`
      io.stderr.write('The link is shown only once. Everybody who has it sees what it shows.\n')
      const about = `${withoutControls(link.name ?? '')}: ${link.moment}, ends at ${link.expires_at}, id ${link.id}`
      writeRecord({ ...link, address }, `${address}\n${about}\n`, input, io)
      return 0
    } finally {
      await opened.close()
    }
  },
}

function choicesOf(input: CommandInput): Readonly<Record<string, unknown>> {
  const expires_at = optionValue(input, 'expires-at')
  return {
    ...(input.flags.has('fixed') ? { moment: 'fixed' } : {}),
    ...(input.flags.has('names') ? { names: true } : {}),
    ...(expires_at === undefined ? {} : { expires_at }),
  }
}

const revoke: Command = {
  name: 'links revoke',
  description: 'Revoke a link; it opens nothing from the next request on',
  options: [],
  positionals: [{ name: 'id', description: 'Id of the link' }],
  run: (invocation) =>
    withEngine(invocation, async ({ links }) => {
      await links.revoke(invocation.input.positionals[0] ?? '', COMMAND_LINE, MACHINE)
      writeRecord({ status: 'revoked' }, 'Revoked\n', invocation.input, invocation.io)
    }),
}

/** Links to dashboards and charts. */
export const LINKS_COMMAND: Command = {
  name: 'links',
  description: 'Manage links to dashboards, and feeds of charts',
  options: [],
  subCommands: [list, create, revoke],
}
