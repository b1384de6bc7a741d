import { rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeDirectory } from '../../../core/make-directory.ts'
import { closePack, type Pack } from '../../presentation/close/pack.ts'
import { closedMonth } from '../../presentation/close/statements.ts'
import { rawRequest } from '../../presentation/raw-request.ts'
import { type Command, optionValue, UsageError } from '../command.ts'
import { writeRecord } from '../output.ts'
import { progressOn } from '../progress.ts'
import { explained, pairsOf } from './question.ts'

const EXIT_IDENTITY_FAILED = 5

/** `ledger close`: the pack of a month that is over. */
export const CLOSE_COMMAND: Command = {
  name: 'ledger close',
  description: 'Write the books of a month: statements, open invoices and journal as CSV and one workbook, with their checks',
  options: [
    'out',
    'spread',
    'one-off',
    'unbilled',
    'revenue-kinds',
    'net-terms',
    'buckets',
    'receivables-rate',
    'opening-known-at',
    'definitions',
  ],
  texts: { out: { valueHint: 'directory', description: 'Directory of the files; default: ledger-<month>' } },
  positionals: [{ name: 'month', description: 'The month, such as 2025-12' }],
  examples: ['ledger close 2025-12', 'ledger close 2025-12 --out books/2025-12 --net-terms 30'],
  run: async ({ input, io, product }) => {
    const opened = await product.open({ config: optionValue(input, 'config') })
    try {
      const word = input.positionals[0] ?? ''
      const month = closedMonth(word, opened.today)
      if (month === undefined)
        throw new UsageError([`the month must be one that has been over for a day, such as 2025-12, not ${JSON.stringify(word)}`])
      const { params, issues } = rawRequest(pairsOf(input))
      if (issues.length > 0) throw new UsageError(issues.map(({ message }) => message))
      const directory = resolve(optionValue(input, 'out') ?? `ledger-${month.name}`)
      const progress = progressOn(io)
      const settings = { signal: io.stop, ...explained(input, io) }
      const pack = await closePack(opened.engine, month, params, settings, progress.say).finally(progress.end)
      await writePack(pack, directory)
      const { checks, ok } = pack
      writeRecord({ month: month.name, directory, files: [...pack.files.keys()], checks, ok }, textOf(pack, directory), input, io)
      return ok ? 0 : EXIT_IDENTITY_FAILED
    } finally {
      await opened.close()
    }
  },
}

/** Writes the files. Each is complete before the first takes its name, and the page that names them comes last. */
async function writePack({ files }: Pack, directory: string): Promise<void> {
  await makeDirectory(directory, 0o777)
  const partial = (name: string) => join(directory, `.${name}.part`)
  try {
    for (const [name, content] of files) await writeFile(partial(name), content)
    for (const name of [...files.keys()].reverse()) await rename(partial(name), join(directory, name))
  } catch (error) {
    await Promise.all([...files.keys()].map((name) => rm(partial(name), { force: true })))
    throw error
  }
}

function textOf({ files, checks }: Pack, directory: string): string {
  const lines = checks.map(({ name, ok, message }) => `${ok ? 'ok    ' : 'FAILED'}  ${name}: ${message}`)
  return `${lines.join('\n')}\n${files.size} files in ${directory}\n`
}
