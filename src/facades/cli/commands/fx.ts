import type { RateImportResult } from '../../../engine/engine.ts'
import { type Command, type Invocation, optionValue } from '../command.ts'
import type { OpenStore } from '../product.ts'
import { rateOptions } from '../rate-options.ts'
import { writeRecord, writeRecords } from '../records.ts'
import { recordsText } from '../text.ts'
import { FX_MISSING } from './fx-missing.ts'

const EXIT_REJECTED = 3

const importCommand: Command = {
  name: 'fx import',
  description:
    'Add or replace exchange rates from a CSV file, plain or zipped: date,from,to,rate, or that of the European Central Bank',
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
  description: 'Fetch exchange rates from who publishes them',
  options: [],
  subCommands: [fetchEcb],
}

const listCommand: Command = {
  name: 'fx list',
  description: 'Stored exchange rates',
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

/** Exchange rates of the side store. */
export const FX_COMMAND: Command = {
  name: 'fx',
  description: 'Exchange rates into the base currency',
  options: [],
  subCommands: [importCommand, fetchCommand, listCommand, FX_MISSING],
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

// What was rejected must not pass unnoticed by a script.
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
  return rejected.length > 0 && !input.flags.has('lenient') ? EXIT_REJECTED : 0
}
