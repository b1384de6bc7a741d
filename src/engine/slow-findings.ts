import type { CheckFinding } from '../connector-kit/connector.ts'
import { AppError, ConfigurationError } from '../core/errors.ts'
import { groupBy } from '../core/group-by.ts'
import type { Pipeline } from '../execution/pipeline.ts'
import type { CapabilityOf } from '../execution/plan/capability.ts'
import { HEALTH_READS, type Uninvoiced, uninvoicedFindings } from '../records/billing-health/answer.ts'
import type { FindingClass } from '../records/billing-health/classes.ts'
import { NOTICE_READS, uninvoicedUsage } from '../records/billing-health/notices/answer.ts'
import { largeMrrFindings } from '../trust/checks/large-mrr.ts'

const MOST_LISTED = 10
const POINTER = '`plumbline billing-health --state open` has amounts, causes and remedies'

/** Names of findings, the classes of billing health behind them, and what is wrong with the customers. */
const FINDINGS: readonly { readonly name: string; readonly classes: readonly FindingClass[]; readonly wrong: string }[] = [
  { name: 'parked_accounts', classes: ['account_parked'], wrong: 'parked by the billing engine' },
  {
    name: 'not_invoiced',
    classes: ['invoicing_failed', 'invoicing_off', 'not_billed'],
    wrong: 'not invoiced',
  },
]

const CAUSES: Partial<Record<FindingClass, string>> = {
  invoicing_failed: ' (each invoice run fails)',
  invoicing_off: ' (invoicing is off)',
}

/** In place of the slow findings while the cache is being filled. */
export const LATER = 'checked as soon as the cache is filled'
/** In place of the slow findings in a service that would read a large database for them. */
export const APART = 'not checked in a service that answers straight from a database of this size; `plumbline check` checks it'

/** The checks that read most rows of the database or of the cache, as far as the connector supplies what they read. */
export interface SlowChecks {
  /** Their findings. */
  run(pipeline: Pick<Pipeline, 'read'>): Promise<readonly CheckFinding[]>
  /** A finding for each, which says why it was not checked. */
  instead(reason: string): readonly CheckFinding[]
}

/** The slow checks of a connector. */
export function slowChecks(capabilityOf: CapabilityOf): SlowChecks {
  const supplies = (names: readonly string[]) => names.every((name) => capabilityOf(name) !== 'absent')
  const checks = [
    { name: 'mrr_amounts', reads: ['mrr_span'], find: largeMrrFindings },
    { name: 'not_invoiced', reads: HEALTH_READS, find: notInvoicedFindings },
    // A connector without facts about usage states that as it does for a column.
    { name: 'usage_not_invoiced', reads: [...NOTICE_READS, 'billing_notice.usage_not_invoiced'], find: uninvoicedUsageFindings },
  ].filter(({ reads }) => supplies(reads))
  return {
    async run(pipeline) {
      const found: CheckFinding[] = []
      for (const { name, find } of checks) found.push(...(await unlessUnreadable(name, () => find(pipeline))))
      return found
    },
    instead: (reason) => checks.map(({ name }) => ({ name, level: 'ok', message: reason })),
  }
}

/**
 * Customers in MRR that the billing engine does not invoice, and the day since which the open findings of each hold without a gap. An account
 * may have been parked earlier, while invoices still covered its days. Empty if there are none.
 */
async function notInvoicedFindings({ read }: Pick<Pipeline, 'read'>): Promise<readonly CheckFinding[]> {
  const classes = FINDINGS.flatMap((finding) => finding.classes)
  const { value } = await read({}, (context) => uninvoicedFindings(classes, context))
  return FINDINGS.flatMap(({ name, classes: own, wrong }): readonly CheckFinding[] => {
    const found = value.filter((finding) => own.includes(finding.class))
    if (found.length === 0) return []
    const customers = customersOf(found)
    const subject = customers.length === 1 ? 'A customer in MRR is' : `${customers.length} customers in MRR are`
    const message = `${subject} ${wrong}. Not billed as agreed: ${listed(customers)}; ${POINTER}`
    return [{ name, level: 'warning', message, logged: `${subject} ${wrong}; ${POINTER}` }]
  })
}

/** Usage that no invoice has, by customer and since when. Empty as above. */
async function uninvoicedUsageFindings({ read }: Pick<Pipeline, 'read'>): Promise<readonly CheckFinding[]> {
  const { value } = await read({ source: 'replica' }, uninvoicedUsage)
  const customers = [...new Set(value.map(({ name }) => name))]
  if (customers.length === 0) return []
  const since = (name: string) => value.find((usage) => usage.name === name)?.since ?? ''
  const subject = customers.length === 1 ? 'A customer has' : `${customers.length} customers have`
  const named = listed(customers.map((name) => `${name} since ${since(name)}`))
  const told = `${subject} usage that no invoice has`
  const pointer = '`plumbline billing-notices --kind usage_not_invoiced` has the subscriptions'
  const name = 'usage_not_invoiced'
  return [{ name, level: 'warning', message: `${told}: ${named}; ${pointer}`, logged: `${told}; ${pointer}` }]
}

/** Reasons why a check could not run, which other findings report. */
const TOLD_ELSEWHERE: readonly string[] = ['unsupported_by_connector', 'replica_lagging', 'connector_unavailable']

/** Empty if the database cannot be read, which other findings report. */
async function unlessUnreadable(name: string, find: () => Promise<readonly CheckFinding[]>): Promise<readonly CheckFinding[]> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof ConfigurationError) return []
    if (!(error instanceof AppError)) throw error
    if (TOLD_ELSEWHERE.includes(error.code)) return []
    return [{ name, level: 'warning', message: `not checked: ${error.message}` }]
  }
}

/** Each customer once, in words: its name, since when it is not billed as agreed, and the cause if it is known. */
function customersOf(findings: readonly Uninvoiced[]): readonly string[] {
  const groups = groupBy(findings, ({ source_id, customer_id }) => JSON.stringify([source_id, customer_id]))
  return [...groups.values()].map((own) => {
    const [first] = own.toSorted((a, b) => (a.unbroken_since < b.unbroken_since ? -1 : 1))
    if (first === undefined) return ''
    return `${first.customer_name ?? first.customer_id} since ${first.unbroken_since}${CAUSES[first.class] ?? ''}`
  })
}

function listed(customers: readonly string[]): string {
  const rest = customers.length - MOST_LISTED
  return `${customers.slice(0, MOST_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
