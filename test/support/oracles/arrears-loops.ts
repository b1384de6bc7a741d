import type { Tables } from '../data/killbill/tables.ts'
import { type JudgedDay, TO_MONTH } from './billing-health-loops.ts'
import { catalogsOf, type FoldedCustomer } from './fold/fold-tables.ts'
import { addPeriod } from './killbill/fold/instant.ts'

/** The days of `days` that are agreed, not billed, and not due, because their period is billed after an end that has not come (H1). */
export function notDueDays(
  days: readonly JudgedDay[],
  customers: readonly FoldedCustomer[],
  tables: Tables,
  now: string,
): readonly JudgedDay[] {
  const dueOf = new Map<string, string>()
  const today = now.slice(0, 10)
  const catalogs = catalogsOf(tables)
  for (const { account, spans } of customers) {
    const { versions = [] } = catalogs.find(({ tenantKey }) => tenantKey === Number(account['tenant_record_id'])) ?? {}
    for (const span of spans.filter(({ valid_to }) => valid_to === null)) {
      const name = span.plan.replace(/-\d+$/, '')
      const plan = versions
        .flatMap((version) => [...version.plans.values()])
        .find((one) => one.name === span.plan || one.name === name)
      const phase = plan?.phases.find(({ type }) => type === span.phase_type?.toUpperCase())
      const [times, divided] = TO_MONTH[phase?.recurring?.billing_period ?? ''] ?? []
      if (plan?.in_arrears !== true || times === undefined || divided === undefined) continue
      const id = span.subscription_id
      const billed = tables('invoice_items')
        .filter((item) => item['type'] === 'RECURRING' && item['subscription_id'] === id && Number(item['rate']) !== 0)
        .map((item) => String(item['end_date']).slice(0, 10))
        .sort()
        .at(-1)
      const begin = billed ?? spans.find((one) => one.subscription_id === id)?.valid_from.slice(0, 10) ?? today
      const endOf = (periods: number) => {
        const [months, more] = times === 1 ? [periods * divided, 0] : [0, periods * Math.floor((365 * divided) / (12 * times))]
        return addPeriod(`${begin} 00:00:00`, months, more).slice(0, 10)
      }
      let ended = 0
      while (endOf(ended + 1) < today) ended += 1
      // The first period may be short, so without a billed day another one is not due.
      const due = billed === undefined ? Math.max(ended - 1, 0) : ended
      dueOf.set(id, endOf(due))
    }
  }
  return days.filter(({ subscription_id, day, agreed, billed }) => {
    const due = dueOf.get(subscription_id)
    return agreed > 0 && billed === 0 && due !== undefined && day >= due
  })
}
