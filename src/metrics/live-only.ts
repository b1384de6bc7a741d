/**
 * Parameters of a statement that asks who is live and reads no amounts: the usage component changes no state (D22, D29), and
 * without it the paid invoices need not be read, which is half the work.
 */
export const LIVE_ONLY = { usage_in_mrr: false } as const
