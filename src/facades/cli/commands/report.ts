import { createHash } from 'node:crypto'
import { AppError } from '../../../core/errors.ts'
import { jsonOnTerminal } from '../../../core/text.ts'
import type { Engine } from '../../../engine/engine.ts'
import { BRIEFING_NAMES, type Briefing, type BriefingPlan, makeBriefing } from '../../presentation/briefing/briefing.ts'
import { BUILT_IN_BRIEFINGS } from '../../presentation/briefing/built-in.ts'
import { dashboardPlan } from '../../presentation/briefing/dashboard.ts'
import { briefingHtml } from '../../presentation/briefing/html.ts'
import { briefingPdf } from '../../presentation/briefing/pdf.ts'
import { changesSince, readEarlier, withMovements } from '../../presentation/briefing/since.ts'
import { briefingSlack } from '../../presentation/briefing/slack.ts'
import { subjectOf } from '../../presentation/briefing/subject.ts'
import { briefingText } from '../../presentation/briefing/text.ts'
import { renderJson } from '../../presentation/render.ts'
import { type Command, type CommandInput, optionValue, UsageError } from '../command.ts'
import { readJsonFile } from '../files.ts'
import type { Io } from '../io.ts'
import type { Channels } from '../product.ts'
import { progressOn } from '../progress.ts'
import { paint } from '../terminal-text.ts'
import { explained } from './question.ts'

const FORMS = ['text', 'html', 'json', 'pdf'] as const
type Form = (typeof FORMS)[number]

/** `report`: a briefing, printed or sent. */
export const REPORT_COMMAND: Command = {
  name: 'report',
  description: 'Make a briefing of the week, of the year or of a dashboard: print it, mail it or post it to Slack',
  options: ['mail', 'slack', 'since', 'explain'],
  texts: {
    since: {
      valueHint: 'json',
      description: 'An earlier briefing, written with --format json: add which of its numbers are others today, and why',
    },
    format: {
      valueHint: FORMS.join('|'),
      description: 'Form of the briefing; default: by the extension of the --output file, else text',
    },
  },
  formats: { '.html': 'html', '.htm': 'html', '.json': 'json', '.pdf': 'pdf' },
  dates: 'the last week from Monday to Sunday, or the last twelve months',
  positionals: [{ name: 'briefing', description: 'weekly, board, or the name or id of a dashboard', values: BRIEFING_NAMES }],
  examples: ['report weekly', 'report weekly --mail finance@example.com --slack', 'report board -o board.pdf'],
  run: async ({ input, io, product }) => {
    const name = input.positionals[0] ?? ''
    const form = formOf(optionValue(input, 'format'))
    const to = input.values.get('mail') ?? []
    const toSlack = input.flags.has('slack')
    const since = optionValue(input, 'since')
    const earlier = since === undefined ? undefined : readEarlier(await readJsonFile(since))
    const opened = await product.open({ config: optionValue(input, 'config') })
    try {
      const { channels } = opened
      if (to.length > 0 || toSlack) {
        checkAlone(input)
        if (channels === undefined) throw new UsageError(['nothing is sent from the sample data: leave out --mail and --slack'])
        // Before the database is asked.
        channels.check({ to, toSlack })
      }
      const plan = await planOf(name, opened.engine)
      const progress = progressOn(io)
      const settings = { signal: io.stop, ...explained(input, io) }
      const make = async (): Promise<Briefing> => {
        const asked = await makeBriefing(plan, opened.engine, opened.today, settings, progress.say)
        const isKept = form === 'json' && BRIEFING_NAMES.some((one) => one === plan.name)
        const made = isKept ? await withMovements(asked, opened.engine, settings) : asked
        if (earlier === undefined) return made
        progress.say('Changed since the earlier briefing')
        const changes = await changesSince(earlier, BUILT_IN_BRIEFINGS[earlier.name], opened.engine, settings)
        return { ...made, blocks: [...made.blocks, changes] }
      }
      const briefing = await make().finally(progress.end)
      if (channels === undefined || (to.length === 0 && !toSlack))
        io.stdout.write(await formOfBriefing(briefing, form, io, channels?.origin))
      else await send(briefing, { to, toSlack }, channels, io)
      return 0
    } finally {
      await opened.close()
    }
  },
}

/** A briefing goes to channels or to an output, because each channel has its form. */
function checkAlone({ values, flags }: CommandInput): void {
  const given = [...(['output', 'format'] as const).filter((name) => values.has(name)), ...(flags.has('json') ? ['json'] : [])]
  if (given.length > 0) throw new UsageError([`--mail and --slack have forms of their own: leave out --${given.join(' and --')}`])
}

/** The command line has the rights of the machine: it sees the dashboards of all users. */
export const MACHINE = { id: 'command_line', name: null, sees: 'all', isAdministrator: true } as const

/** A built-in briefing, or that of a dashboard. AppError as for `dashboardNamed`. */
async function planOf(given: string, engine: Engine): Promise<BriefingPlan> {
  const name = BRIEFING_NAMES.find((one) => one === given)
  if (name !== undefined) return BUILT_IN_BRIEFINGS[name]
  return dashboardPlan(await engine.dashboards(MACHINE).get(await dashboardNamed(given, engine)), { names: true })
}

/** Id of the dashboard with a name or id. AppError `not_found`; `conflict` if several have the name. */
export async function dashboardNamed(given: string, engine: Pick<Engine, 'dashboards'>): Promise<string> {
  const all = await engine.dashboards(MACHINE).list()
  const found = all.filter(({ id, name }) => id === given || name === given)
  const [one] = found
  if (one === undefined) {
    const detail = `No dashboard has the name or id ${JSON.stringify(given)}. The built-in briefings are ${BRIEFING_NAMES.join(' and ')}.`
    throw new AppError('not_found', detail)
  }
  if (found.length === 1) return one.id
  const ids = found.map(({ id }) => id).join(', ')
  throw new AppError('conflict', `Several dashboards have the name ${JSON.stringify(given)}. Name one by its id: ${ids}.`)
}

function formOf(given: string | undefined): Form {
  const form = FORMS.find((one) => one === (given ?? 'text'))
  if (form === undefined) throw new UsageError([`--format of a briefing is ${FORMS.join(', ')}, not ${JSON.stringify(given)}`])
  return form
}

async function formOfBriefing(
  briefing: Briefing,
  form: Form,
  { stdout }: Io,
  origin: string | undefined,
): Promise<string | Uint8Array> {
  switch (form) {
    case 'text':
      return briefingText(briefing, (text) => paint('bold', text, stdout.color === true))
    case 'html':
      return briefingHtml(briefing, origin)
    case 'pdf':
      return briefingPdf(briefing, origin)
    case 'json':
      return stdout.isTTY === true ? jsonOnTerminal(`${JSON.stringify(briefing, null, 2)}\n`) : `${renderJson(briefing)}\n`
  }
}

/** Sends a briefing to each channel that is named. The first failure ends it, and says what was sent before. */
async function send(
  briefing: Briefing,
  { to, toSlack }: { readonly to: readonly string[]; readonly toSlack: boolean },
  channels: Channels,
  { stdout, stop }: Io,
): Promise<void> {
  if (to.length > 0) {
    const [text, html] = [briefingText(briefing), briefingHtml(briefing, channels.origin)]
    await channels.sendMail({ to, subject: subjectOf(briefing), text, html, key: keyOf(briefing) })
    stdout.write(`Mailed to ${to.join(', ')}\n`)
  }
  if (!toSlack) return
  await channels.postToSlack(briefingSlack(briefing, channels.origin), stop)
  stdout.write('Posted to Slack\n')
}

/** Names the content of a briefing. Programs for mail show two mails with the same name once. */
function keyOf({ data_through: _, ...said }: Briefing): string {
  const digest = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16)
  return `${said.name}-${said.days.end}.${digest}`
}
