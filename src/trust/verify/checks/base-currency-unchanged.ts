import type { Check } from '../check.ts'
import { compare } from '../check.ts'
import { total } from '../rows.ts'

/** I19: amounts in the base currency are not converted. */
export const baseCurrencyUnchanged: Check = {
  name: 'base_currency_unchanged',
  description: 'Amounts of customers in the base currency are the same in original and in base cents.',
  identities: ['I19'],
  unit: 'equations',
  run: ({ range, inSnapshot }) =>
    inSnapshot(async (ask) => {
      const currency = ask.base_currency
      // Only the grouping has original amounts. The filter keeps base amounts.
      const filters = { currency }
      const spec = { dimensions: ['currency'], filters }
      const moved = (rows: Parameters<typeof total>[0]) => total(rows, 'amount_base')
      return compare([
        {
          id: `mrr.current ${currency}`,
          what: `MRR in ${currency}`,
          expected: total(await ask.rows('mrr.current', { at: range.end }, spec), 'mrr'),
          actual: total(await ask.rows('mrr.current', { at: range.end }, { dimensions: ['source'], filters }), 'mrr'),
        },
        {
          id: `mrr.breakdown ${currency}`,
          what: `movements in ${currency}`,
          expected: moved(await ask.rows('mrr.breakdown', { ...range }, spec)),
          actual: moved(await ask.rows('mrr.breakdown', { ...range }, { filters })),
        },
      ])
    }),
}
