import type { Unit } from '../../../core/column.ts'
import { errorFromIssues, suggest } from '../../../core/errors.ts'
import { type GrantRequest, passwordStep } from '../../../core/grant-request.ts'
import { setupSteps } from '../../../engine/engine.ts'
import { formatAmount } from '../../presentation/cells.ts'
import { mustBe, oneOf } from '../../presentation/parameters.ts'
import { tableLines } from '../../presentation/text-table.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, type CommandInput, optionValue } from '../command.ts'
import { writeRecord, writeRecords } from '../output.ts'
import type { FirstLook, InitReport } from '../product.ts'
import { paint } from '../terminal-text.ts'

const EXIT_CHECK_FAILED = 5

const initCommand: Command = {
  name: 'init',
  description: 'Inspect a billing database, write plumbline.toml for it and prepare the side store',
  options: ['tenant', 'base-currency', 'full', 'force', 'dry-run'],
  positionals: [
    {
      name: 'url',
      description: 'Address of the billing database: postgres://…, mysql://… or trino://…; default: DATABASE_URL',
      optional: true,
    },
  ],
  run: async ({ input, io, product }) => {
    const [url] = input.positionals
    const report = await product.init({
      url,
      config: optionValue(input, 'config'),
      tenant: optionValue(input, 'tenant'),
      baseCurrency: optionValue(input, 'base-currency')?.toUpperCase(),
      force: input.flags.has('force'),
      full: input.flags.has('full'),
      dryRun: input.flags.has('dry-run'),
    })
    writeRecord(report, initText(report, io.stdout.color === true), input, io)
    return report.found?.findings.some(({ level }) => level === 'failure') === true ? EXIT_CHECK_FAILED : 0
  },
}

const checkCommand: Command = {
  name: 'check',
  description: 'Check the connection, rights, schema and lag of the billing database, and the side store',
  options: ['cross'],
  run: async ({ input, io, product }) => {
    const opened = await product.open({ config: optionValue(input, 'config') })
    try {
      const all = await opened.engine.check({ cross: input.flags.has('cross') })
      const findings = all.map(({ name, level, message, command, setting }) => ({ name, level, message, command, setting }))
      const columns = ['level', 'name', 'message'].map((title) => ({
        title,
        align: 'left' as const,
      }))
      const lines = tableLines(
        columns,
        findings.map((finding) => [finding.level, finding.name, finding.message]),
      ).slice(1)
      const painted = lines.map((line, index) => paintLevel(line, findings[index]?.level, io.stdout.color === true))
      writeRecords(
        {
          json: findings,
          rows: findings,
          columns: ['name', 'level', 'message'],
          text: `${painted.map((line) => `${line}\n`).join('')}${openSteps(all)}`,
        },
        input,
        io,
      )
      return findings.some((finding) => finding.level === 'failure') ? EXIT_CHECK_FAILED : 0
    } finally {
      await opened.close()
    }
  },
}

const STYLES = { ok: 'green', todo: 'yellow', warning: 'yellow', failure: 'red' } as const

function paintLevel(line: string, level: keyof typeof STYLES = 'ok', isOn: boolean): string {
  return `${paint(STYLES[level], level, isOn)}${line.slice(level.length)}`
}

/** The open steps of the setup, with the command and the setting of each. Empty if there is nothing to run or to set. */
function openSteps(findings: Parameters<typeof setupSteps>[0]): string {
  // The sample data has no steps.
  if (!findings.some(({ name }) => name === 'backup')) return ''
  const steps = setupSteps(findings)
  const open = steps.filter(({ state, command, setting }) => state !== 'done' && (command ?? setting) !== undefined)
  if (open.length === 0) return ''
  const rows = open.flatMap(({ title, command, setting }) => [
    ...(command === undefined ? [] : [[title, command]]),
    ...(setting === undefined ? [] : [[title, `plumbline.toml: ${setting.replace('\n', ' ')}`]]),
  ])
  const done = steps.filter(({ state }) => state === 'done').length
  return `${done} of ${steps.length} steps of the setup are done. Open:\n${rowsText(rows)}`
}

const MRR: ReadonlyMap<string, Unit> = new Map([['mrr', 'money']])

/** Printed after `init` without an address. */
const NEXT = `Next:
  plumbline grants --dialect postgres --user plumbline    # statements for a read-only role; or mysql, mariadb
  plumbline init --force postgres://user:password@host/database    # looks at the billing database and writes its address
  plumbline check
  plumbline serve
No database at hand? plumbline demo
`

/** The report of \`init\` as text. */
function initText({ steps, found }: InitReport, bold: boolean): string {
  const done = steps.map((step) => `${step}\n`).join('')
  return found === null ? `${done}${NEXT}` : `${foundText(found)}${done}${answerText(found, bold)}${nextText(steps, found)}`
}

/** The next commands after a look at a database. Without steps nothing was written. */
function nextText(steps: readonly string[], { findings, missing }: FirstLook): string {
  const isFailed = findings.some(({ level }) => level === 'failure')
  const lines = [
    ...(isFailed ? [['plumbline check', 'says what is left to put right']] : []),
    ...(missing === null || steps.length === 0 ? [] : [['plumbline fx fetch ecb', 'fetches the exchange rates']]),
    ...(steps.length === 0
      ? [['plumbline init <the same address>', 'writes plumbline.toml']]
      : [
          ['plumbline summary', 'the headline figures'],
          ['plumbline serve --open', 'the dashboard, in the browser'],
        ]),
    ...(isFailed || steps.length === 0 ? [] : [['plumbline check', 'lists the other steps of the setup']]),
  ]
  return `Next:\n${rowsText(lines.map(([command = '', what = '']) => [`  ${command}`, `# ${what}`]))}`
}

function foundText({ database, engine, tenants, chosen, currencies, base_currency }: FirstLook): string {
  const others = tenants.filter((tenant) => !chosen.includes(tenant))
  const inUse = currencies.map(({ currency, customers }) => `${currency} (${customers} customers)`).join(', ')
  const lines = [
    ['database', database],
    ['engine', engine],
    ['tenants', `${chosen.join(', ') || 'none yet'}${others.length === 0 ? '' : `; not included: ${others.join(', ')}`}`],
    ['currencies', `${inUse || 'none yet'}; totals in ${base_currency} (--base-currency changes it)`],
  ]
  return rowsText(lines)
}

function answerText({ findings, mrr_cents, missing, mrr_by_currency, base_currency }: FirstLook, bold: boolean): string {
  const wrong = rowsText(findings.map(({ level, name, message }) => [level, name, message]))
  const mrr = mrr_cents === null ? '' : `MRR today: ${formatAmount(mrr_cents, base_currency)} ${base_currency}\n`
  const lacking = missing === null ? '' : `${missing}\n`
  const by =
    mrr_by_currency.length === 0
      ? ''
      : `MRR today, by currency:\n${recordsText(mrr_by_currency, ['currency', 'mrr'], { units: MRR, bold })}`
  return `${wrong}${mrr}${lacking}${by}`
}

function rowsText(rows: readonly (readonly string[])[]): string {
  const columns = (rows[0] ?? []).map(() => ({
    title: '',
    align: 'left' as const,
  }))
  return tableLines(columns, rows)
    .slice(1)
    .map((line) => `${line}\n`)
    .join('')
}

const DIALECTS = {
  postgres: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
} as const

/** `grants`: prints statements for an administrator. It does not run them. */
const GRANTS_COMMAND: Command = {
  name: 'grants',
  description: 'Print the statements that create a read-only role for Plumbline; needs no database',
  options: ['connector', 'dialect', 'user', 'tables', 'database', 'schema'],
  required: ['dialect', 'user'],
  run: async ({ input, io, product }) => {
    const request = {
      connector: optionValue(input, 'connector'),
      dialect: dialectOf(input),
      user: optionValue(input, 'user') ?? '',
      database: optionValue(input, 'database'),
      schema: optionValue(input, 'schema') ?? 'public',
      tables: (input.values.get('tables') ?? []).flatMap((value) => value.split(',')).flatMap((table) => table.trim() || []),
    }
    const statements = await product.grants(request)
    const rows = statements.map((statement) => ({ statement }))
    const last = request.tables.length === 0 ? `${passwordStep(request)}\n` : ''
    const text = statements.map((statement) => `${statement};\n`).join('') + last
    writeRecords({ json: statements, rows, columns: ['statement'], text }, input, io)
    return 0
  },
}

function dialectOf(input: CommandInput): GrantRequest['dialect'] {
  const given = optionValue(input, 'dialect') ?? ''
  const known = Object.keys(DIALECTS)
  const dialect = Object.entries(DIALECTS).find(([name]) => name === given)?.[1]
  if (dialect !== undefined) return dialect
  const message = mustBe('dialect', oneOf(known), given)
  throw errorFromIssues([
    {
      code: 'invalid_value',
      where: 'params.dialect',
      value: given,
      message,
      did_you_mean: suggest(given, known),
    },
  ])
}

/** Commands to set up Plumbline. */
export const SETUP_COMMANDS: readonly Command[] = [initCommand, GRANTS_COMMAND, checkCommand]
