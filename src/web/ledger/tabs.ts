/** The tabs of the Ledger, the first one by default. */
export const LEDGER_TABS = [
  { value: 'revenue', label: 'Revenue' },
  { value: 'waterfall', label: 'Waterfall' },
  { value: 'receivables', label: 'Receivables' },
  { value: 'cash', label: 'Cash and collections' },
  { value: 'trial-balance', label: 'Trial balance' },
  { value: 'export', label: 'Export' },
] as const

export type LedgerView = (typeof LEDGER_TABS)[number]['value']
