import { attributeKeyOf } from '../../query/attributes.ts'
import type { NamesToResolve } from '../../query/audience-request.ts'
import { fieldsOf } from '../../query/request.ts'
import { isWrittenSegment } from '../../query/segment.ts'
import type { PlannedQuery } from './plan.ts'

/**
 * Fields whose values are words of the product or of the catalog, and which do not single out a customer or vendor. Every other field
 * needs the scope `read`: reasons, classes and departments are free text, and an embedder's dimension may hold anything.
 */
const OF_NUMBERS: ReadonlySet<string> = new Set([
  ...['source', 'source_id', 'currency', 'segment_id'],
  ...['customer_country', 'cohort_month', 'customer_created_month', 'tenure_months'],
  ...['plan_id', 'plan_name', 'plan_interval', 'billing_period', 'pricing_model', 'usage_type'],
  ...['product_name', 'product_category', 'price_list', 'collection_method'],
  ...['phase_type', 'movement_source', 'movement_type', 'pending_cancellation', 'mrr_band', 'arr_band'],
  ...['churn_type', 'occurred_at', 'paid_at', 'started_at', 'converted_at', 'expired_at', 'period_start'],
  ...['account_type', 'txn_date'],
])

/** Queries whose rows are numbers of many customers. Queries of embedders may be about single ones. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...['mrr.current', 'mrr.series', 'mrr.components', 'mrr.breakdown', 'mrr.waterfall', 'mrr.arr'],
  ...['churn.logo', 'churn.revenue', 'retention.cohort_matrix', 'retention.nrr', 'retention.grr'],
  ...['ltv.simple', 'ltv.arpu', 'ltv.cohort', 'trials.conversion_rate', 'trials.funnel', 'trials.series'],
  ...['usage_revenue.total', 'usage_revenue.series', 'summary.headline'],
  ...['expenses.total', 'expenses.by_account_type', 'expenses.series'],
])

/** True where the rows of a query single out no customer and no vendor. */
export function answersNumbers(metric: string, query: string): boolean {
  return NUMBERS.has(`${metric}.${query}`)
}

/** True where a field singles out no customer and no vendor. */
export function isOfNumbers(field: string): boolean {
  return OF_NUMBERS.has(field)
}

/**
 * The attributes and the written segment of a request, which disclose customers by their words alone. They are judged before any name is
 * looked up, so that a refusal names no attribute.
 */
export function disclosedByName({ attributes, segments }: NamesToResolve): readonly string[] {
  return [...attributes.map((key) => `attr.${key}`), ...(segments.some(isWrittenSegment) ? ['segment'] : [])]
}

/**
 * The parts of a request that show or single out customers or vendors: its query, its dimensions, its filters. The definition of a saved
 * segment does not count, because its author may see customers. A segment that is written into the request may single out anybody.
 * `named` are the attributes and segments of the request.
 */
export function disclosedBy({ definition, name, request }: PlannedQuery, named: NamesToResolve): readonly string[] {
  const rows = answersNumbers(definition.name, name) ? [] : [`${definition.name}.${name}`]
  const fields = fieldsOf(request).map(({ key }) => key)
  const disclosing = fields.filter((key) => attributeKeyOf(key) === undefined && !isOfNumbers(key))
  return [...new Set([...rows, ...disclosing, ...disclosedByName(named)])]
}
