import { type Command, optionValue } from '../command.ts'
import { writeRecord, writeRecords } from '../records.ts'
import { tableLines } from '../table.ts'

const EXIT_CHECK_FAILED = 5

const initCommand: Command = {
  name: 'init',
  description: 'Write a starter plumbline.toml and prepare the side store',
  options: ['force'],
  run: async ({ input, io, product }) => {
    const done = await product.init({ config: optionValue(input, 'config'), force: input.flags.has('force') })
    writeRecord({ steps: done }, done.map((step) => `${step}\n`).join(''), input, io)
    return 0
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
      const columns = ['level', 'name', 'message'].map((title) => ({ title, align: 'left' as const }))
      const lines = tableLines(
        columns,
        findings.map((finding) => [finding.level, finding.name, finding.message]),
      ).slice(1)
      writeRecords(
        {
          json: findings,
          rows: findings,
          columns: ['name', 'level', 'message'],
          text: lines.map((line) => `${line}\n`).join(''),
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

/** Commands of the first day. */
export const SETUP_COMMANDS: readonly Command[] = [initCommand, checkCommand]
