import type { MissingRate } from '../../../engine/engine.ts'
import type { Command } from '../command.ts'
import { writeRecords } from '../records.ts'
import { withEngine } from './with-engine.ts'

const COLUMNS: readonly (keyof MissingRate)[] = ['from', 'to', 'first_day', 'last_day', 'count']
const NOTHING = 'No exchange rate is missing.\n'

/** `fx missing`: what billing data and books need and the store does not have. */
export const FX_MISSING: Command = {
  name: 'fx missing',
  description: 'Exchange rates that the billing data or the books need and that are not there, with the days that need them',
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
