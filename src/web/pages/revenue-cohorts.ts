/** A row of the revenue matrix. */
type Row = Readonly<Record<string, unknown>>

export type RevenueRate = 'net_retention_rate' | 'gross_retention_rate'

/** A monthly cohort with its rows by months since the start. */
interface RevenueCohort {
  readonly month: string
  /** MRR at the end of the first month, in cents. */
  readonly start: number
  readonly cells: readonly Row[]
}

/** Cohorts from the rows of the revenue matrix, which are in order. */
export function revenueCohortsOf<R extends Row>(rows: readonly R[]) {
  const cohorts = new Map<string, R[]>()
  for (const row of rows) {
    const month = String(row['cohort_month'])
    const known = cohorts.get(month)
    if (known === undefined) cohorts.set(month, [row])
    else known.push(row)
  }
  return [...cohorts].map(([month, cells]) => ({ month, start: Number(cells[0]?.['start_mrr']), cells }))
}

/** The rate of all cohorts that have completed a month, weighted by their first MRR. Null if none with MRR has completed it. */
export function averageRate(cohorts: readonly RevenueCohort[], since: number, rate: RevenueRate): number | null {
  let [kept, start] = [0, 0]
  for (const { start: own, cells } of cohorts) {
    const cell = cells[since]
    if (cell?.['is_complete'] !== true) continue
    // A cohort without first MRR has no rate, and its later MRR counts in the net rate of all cohorts.
    kept += rate === 'net_retention_rate' ? Number(cell['mrr']) : own * Number(cell[rate] ?? 0)
    start += own
  }
  return start === 0 ? null : kept / start
}
