import { type Command, optionValue } from '../command.ts'
import { writeRecord, writeRecords } from '../records.ts'
import { recordsText } from '../text.ts'

const importCommand: Command = {
  name: 'fx import',
  description: 'Add or replace exchange rates from a CSV file with the columns date,from,to,rate',
  options: [],
  positionals: [{ name: 'csv', description: 'Path of the file' }],
  run: async ({ input, io, product }) => {
    const opened = await product.openStore({ config: optionValue(input, 'config') })
    try {
      const result = await opened.importFx(input.positionals[0] ?? '')
      const counts = `${result.rows_read} rows read, ${result.rows_upserted} stored, ${result.rows_rejected.length} rejected\n`
      const bold = io.stdout.isTTY === true
      const rejected = result.rows_rejected.map((row) => ({ ...row }))
      const text = rejected.length === 0 ? counts : counts + recordsText(rejected, ['row', 'reason'], { bold })
      writeRecord(result, text, input, io)
      return 0
    } finally {
      await opened.close()
    }
  },
}

const listCommand: Command = {
  name: 'fx list',
  description: 'Stored exchange rates',
  options: [],
  run: async ({ input, io, product }) => {
    const opened = await product.openStore({ config: optionValue(input, 'config') })
    try {
      const rates = await opened.listFx()
      writeRecords({ json: rates, rows: rates.map((rate) => ({ ...rate })), columns: ['date', 'from', 'to', 'rate'] }, input, io)
      return 0
    } finally {
      await opened.close()
    }
  },
}

/** Exchange rates of the side store. */
export const FX_COMMAND: Command = {
  name: 'fx',
  description: 'Exchange rates into the base currency',
  options: [],
  subCommands: [importCommand, listCommand],
}
