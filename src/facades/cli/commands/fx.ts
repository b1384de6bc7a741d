import { errorFromIssues, type Issue } from '../../../core/errors.ts'
import type { MissingRate, RateImportOptions, RateImportResult } from '../../../engine/engine.ts'
import { readRateOptions } from '../../presentation/import-options.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, type CommandInput, type Invocation, optionValue, withEngine } from '../command.ts'
import { importExit } from '../files.ts'
import { writeRecord, writeRecords } from '../output.ts'
import type { OpenStore } from '../product.ts'

const importCommand: Command = {
  name: 'fx import',
  description:
    'Import exchange rates from a CSV file, plain or zipped: date,from,to,rate, or a file of the European Central Bank',
  options: ['to', 'since', 'separator', 'encoding', 'lenient'],
  positionals: [{ name: 'file', description: 'Path of the file' }],
  run: (invocation) => {
    const options = rateOptions(invocation.input)
    const path = invocation.input.positionals[0] ?? ''
    return withStore(invocation, async (store) => writeImport(await store.importFx(path, options), invocation))
  },
}

const fetchEcb: Command = {
  name: 'fx fetch ecb',
  description: 'Fetch the reference rates of the European Central Bank since 1999 and store them as rates into the base currency',
  options: ['to', 'since', 'lenient'],
  run: (invocation) => {
    const { io, input } = invocation
    const options = rateOptions(input)
    return withStore(invocation, async (store) => {
      io.stderr.write(`Fetching ${store.fxAddress} …\n`)
      return writeImport(await store.fetchFx(options, io.stop), invocation)
    })
  },
}

const fetchCommand: Command = {
  name: 'fx fetch',
  description: 'Fetch exchange rates from a publisher',
  options: [],
  subCommands: [fetchEcb],
}

const listCommand: Command = {
  name: 'fx list',
  description: 'List stored exchange rates',
  options: ['latest'],
  run: (invocation) =>
    withStore(invocation, async (store) => {
      const { input, io } = invocation
      const rates = await store.listFx({ latest: input.flags.has('latest') })
      writeRecords(
        {
          json: rates,
          rows: rates.map((rate) => ({ ...rate })),
          columns: ['date', 'from', 'to', 'rate'],
        },
        input,
        io,
      )
      return 0
    }),
}

async function withStore({ input, product }: Invocation, work: (store: OpenStore) => Promise<number>): Promise<number> {
  const store = await product.openStore({
    config: optionValue(input, 'config'),
  })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function writeImport(result: RateImportResult, { input, io }: Invocation): number {
  const counts = `${result.rows_read} rows read, ${result.rows_upserted} stored, ${result.rows_rejected_total} rejected\n`
  const rejected = result.rows_rejected.map((row) => ({ ...row }))
  const table =
    rejected.length === 0
      ? ''
      : recordsText(rejected, ['row', 'reason'], {
          bold: io.stdout.color === true,
        })
  writeRecord(result, counts + table, input, io)
  return importExit(rejected.length === 0, input)
}

const COLUMNS: readonly (keyof MissingRate)[] = ['from', 'to', 'first_day', 'last_day', 'count', 'rates_since']
const NOTHING = 'No exchange rate is missing.\n'

/** `fx missing`: rates that the billing data or the books need and the store lacks. */
const FX_MISSING: Command = {
  name: 'fx missing',
  description: 'List missing exchange rates of the billing data and the books, with the days that need them',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async (engine) => {
      const missing = await engine.rates.missing({ signal: invocation.io.stop })
      const result = {
        json: missing,
        rows: missing.map((row) => ({ ...row })),
        columns: COLUMNS,
      }
      writeRecords(missing.length === 0 ? { ...result, text: NOTHING } : result, invocation.input, invocation.io)
    }),
}

/** Options of a command that stores rates. AppError `invalid_value` with all issues. */
function rateOptions(input: CommandInput): RateImportOptions {
  const issues: Issue[] = []
  const options = readRateOptions(
    (name) => optionValue(input, name),
    'params',
    (issue) => issues.push(issue),
  )
  if (issues.length > 0) throw errorFromIssues(issues)
  return options
}

/** Exchange rates in the side store. */
export const FX_COMMAND: Command = {
  name: 'fx',
  description: 'Manage exchange rates into the base currency',
  options: [],
  subCommands: [importCommand, fetchCommand, listCommand, FX_MISSING],
}
