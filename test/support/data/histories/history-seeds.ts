export type History = readonly [seed: number, accounts: number]

/** Seed and number of accounts of the histories that the property tests generate; their coverage is tested as a whole. */
export const HISTORIES = {
  relations: [20260124, 100],
  identities_of_relations: [99, 60],
  identities_of_customers: [912, 40],
  identities_of_money: [1317, 40],
  levels: [4711, 50],
  ratios: [815, 60],
  ratios_again: [1616, 60],
  segments: [6262, 40],
  older_layouts: [22, 60],
  fractions: [20250126, 80],
  continued: [13, 60],
} as const satisfies Readonly<Record<string, History>>

/** The instant at which they are judged. */
export const HISTORY_NOW = '2025-01-15 00:00:00'
