import { attributeKeyOf } from '../../query/attributes.ts'
import type { NamesToResolve } from '../../query/audience-request.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { BAND_DIMENSIONS, PENDING_CANCELLATION_DIMENSION } from '../../query/dimensions/level.ts'
import { MOVEMENT_SOURCE_DIMENSION } from '../../query/dimensions/movement.ts'
import { PHASE_DIMENSION, PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { collectIssues } from '../../query/issues.ts'
import { isAbsent, type Raw } from '../../query/raw-parameters.ts'
import { fieldsOf } from '../../query/request.ts'
import { isWrittenSegment } from '../../query/segment.ts'
import { readSpec } from '../../query/spec.ts'
import type { PlannedQuery } from './plan.ts'

/** The dimensions of the product by which the scope `read:aggregate` may filter. Every other field needs the scope `read`. */
const OPEN: ReadonlySet<string> = new Set(
  [
    ...[SOURCE_DIMENSIONS, CURRENCY_DIMENSION, CUSTOMER_DIMENSIONS, COHORT_DIMENSIONS, TENURE_DIMENSION, PLAN_DIMENSIONS],
    ...[SUBSCRIPTION_DIMENSIONS, PHASE_DIMENSION, MOVEMENT_SOURCE_DIMENSION, PENDING_CANCELLATION_DIMENSION, BAND_DIMENSIONS],
  ]
    .flat()
    .flatMap(({ key, shows }) => (shows === 'totals' ? [key] : [])),
)

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
export function disclosedBy({ definition, name, query, request }: PlannedQuery, named: NamesToResolve): readonly string[] {
  const rows = query.shows === 'totals' ? [] : [`${definition.name}.${name}`]
  const statements = request.explains === true ? ['explain'] : []
  const disclosing = fieldsOf(request).flatMap(({ key, shows }) =>
    attributeKeyOf(key) === undefined && shows !== 'totals' ? [key] : [],
  )
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
  const fields = filters.map(([key]) => key).filter((key) => !own.includes(key) && !OPEN.has(key))
  const segment = named.segments.length === 0 ? [] : ['segment']
  return [
    ...new Set([...OF_CUSTOMERS.filter((name) => !isAbsent(params[name])), ...fields, ...segment, ...disclosedByName(named)]),
  ]
}
