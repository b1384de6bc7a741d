import { attributeKeyOf } from '../../query/attributes.ts'
import type { NamesToResolve } from '../../query/audience-request.ts'
import { collectIssues } from '../../query/issues.ts'
import { isAbsent, type Raw } from '../../query/raw-parameters.ts'
import { fieldsOf } from '../../query/request.ts'
import { isWrittenSegment } from '../../query/segment.ts'
import { readSpec } from '../../query/spec.ts'
import type { PlannedQuery } from './plan.ts'

/**
 * Fields open to the scope `read:aggregate`. Their values come from the product or the catalog and do not identify a customer or vendor.
 * Every other field needs the scope `read`: reasons, classes and departments are free text, and an embedder's dimension may hold anything.
 */
const AGGREGATE_FIELDS: ReadonlySet<string> = new Set([
  ...['source', 'source_id', 'tenant', 'currency', 'segment_id'],
  ...['customer_country', 'cohort_month', 'customer_created_month', 'tenure_months'],
  ...['plan_id', 'plan_name', 'plan_interval', 'billing_period', 'pricing_model', 'usage_type'],
  ...['product_name', 'product_category', 'price_list', 'collection_method'],
  ...['phase_type', 'movement_source', 'movement_type', 'pending_cancellation', 'mrr_band', 'arr_band'],
  ...['churn_type', 'occurred_at', 'paid_at', 'started_at', 'converted_at', 'expired_at', 'period_start'],
  ...['account_type', 'txn_date'],
])

/** Queries open to the scope `read:aggregate`. Each row combines many customers. A query of an embedder may show single customers. */
const AGGREGATE_QUERIES: ReadonlySet<string> = new Set([
  ...['mrr.current', 'mrr.series', 'mrr.components', 'mrr.breakdown', 'mrr.waterfall', 'mrr.arr'],
  ...['churn.logo', 'churn.revenue', 'retention.cohort_matrix', 'retention.nrr', 'retention.grr'],
  'retention.revenue_cohort_matrix',
  ...['ltv.simple', 'ltv.arpu', 'ltv.cohort', 'trials.conversion_rate', 'trials.funnel', 'trials.series'],
  ...['usage_revenue.total', 'usage_revenue.series', 'summary.headline'],
  ...['expenses.total', 'expenses.by_account_type', 'expenses.series'],
])

/** True if the rows of a query identify no customer and no vendor. */
export function isAggregateQuery(metric: string, query: string): boolean {
  return AGGREGATE_QUERIES.has(`${metric}.${query}`)
}

/** True if a field identifies no customer and no vendor. */
export function isAggregateField(field: string): boolean {
  return AGGREGATE_FIELDS.has(field)
}

/**
 * The attributes and the inline segment of a request. Their text alone may identify customers. The scope is checked before names
 * are looked up, so a refusal does not reveal which attributes exist.
 */
export function disclosedByName({ attributes, segments }: NamesToResolve): readonly string[] {
  return [...attributes.map((key) => `attr.${key}`), ...(segments.some(isWrittenSegment) ? ['segment'] : [])]
}

/**
 * The parts of a request that show or identify customers or vendors: its query, dimensions, filters and explained statements. A saved segment does not
 * count, because its author may see customers. A segment that the request defines inline counts, because it may identify any
 * customer. `named` holds the attributes and segments of the request.
 */
export function disclosedBy({ definition, name, request }: PlannedQuery, named: NamesToResolve): readonly string[] {
  const rows = isAggregateQuery(definition.name, name) ? [] : [`${definition.name}.${name}`]
  const statements = request.explains === true ? ['explain'] : []
  const fields = fieldsOf(request).map(({ key }) => key)
  const disclosing = fields.filter((key) => attributeKeyOf(key) === undefined && !isAggregateField(key))
  return [...new Set([...rows, ...statements, ...disclosing, ...disclosedByName(named)])]
}

/** Parameters that single out a customer. */
const OF_CUSTOMERS: readonly string[] = ['customer_id', 'search']

/**
 * The parts of a request for sums that single out customers: parameters, filters, attributes and segments, saved ones too, because such sums say
 * what the members owe. Empty if the sums are those of everybody. `own` are the filters of the sums that are not about customers.
 */
export function narrowedTo(params: Raw, spec: Raw, named: NamesToResolve, own: readonly string[]): readonly string[] {
  const { filters } = readSpec(params, spec, collectIssues().report)
  const fields = filters.map(([key]) => key).filter((key) => !own.includes(key) && !isAggregateField(key))
  const segment = named.segments.length === 0 ? [] : ['segment']
  return [
    ...new Set([...OF_CUSTOMERS.filter((name) => !isAbsent(params[name])), ...fields, ...segment, ...disclosedByName(named)]),
  ]
}
