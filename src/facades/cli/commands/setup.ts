import { type Command, optionValue } from '../command.ts'
import { initText } from '../first-look-text.ts'
import { paint } from '../paint.ts'
import { writeRecord, writeRecords } from '../records.ts'
import { tableLines } from '../table.ts'
import { GRANTS_COMMAND } from './grants.ts'

const EXIT_CHECK_FAILED = 5

const initCommand: Command = {
  name: 'init',
  description: 'Look at a billing database, write plumbline.toml for it and prepare the side store',
  options: ['tenant', 'base-currency', 'full', 'force', 'dry-run'],
  positionals: [
    {
      name: 'url',
      description: 'Address of the billing database: postgres://… or mysql://…; else DATABASE_URL',
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
  description: 'Check connection, rights, schema and lag of the billing database, and the store',
  options: ['cross'],
  run: async ({ input, io, product }) => {
    const opened = await product.open({ config: optionValue(input, 'config') })
    try {
      const findings = (await opened.engine.check({ cross: input.flags.has('cross') })).map(({ name, level, message }) => ({
        name,
        level,
        message,
      }))
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
          text: painted.map((line) => `${line}\n`).join(''),
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

const STYLES = { ok: 'green', warning: 'yellow', failure: 'red' } as const

function paintLevel(line: string, level: keyof typeof STYLES = 'ok', isOn: boolean): string {
  return `${paint(STYLES[level], level, isOn)}${line.slice(level.length)}`
}

/** Commands of the first day. */
export const SETUP_COMMANDS: readonly Command[] = [initCommand, GRANTS_COMMAND, checkCommand]
