import type { InlineRelation } from '../../src/connector-kit/connector.ts'

/**
 * Factors from an amount of the engine to hundredths, by the number of its units in one whole of the currency. The engine has its own list of
 * units, which is not ISO 4217. Other currencies have 100.
 */
const FACTORS: readonly (readonly [factor: string, currencies: readonly string[]])[] = [
  [
    '100',
    ['BIF', 'CLP', 'DJF', 'GNF', 'HUF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
  ],
  ['20', ['MGA']],
  ['0.1', ['BHD', 'JOD', 'KWD']],
  ['0.01', ['CLF']],
]

/** Relation `lago_minor_unit`: the currencies whose amounts are not in hundredths. */
export const MINOR_UNITS: InlineRelation = {
  name: 'lago_minor_unit',
  columns: [
    { name: 'currency', type: 'text' },
    { name: 'factor', type: 'decimal' },
  ],
  rows: FACTORS.flatMap(([factor, currencies]) => currencies.map((currency) => [currency, factor])),
}
