import type { Tables } from '../data/killbill/tables.ts'
import type { FoldedCustomer } from './fold/fold-tables.ts'
import { planFacts } from './fold/relation-differences.ts'
import { addPeriod, monthStart } from './killbill/fold/instant.ts'

/** A trial or a usage charge with what decides its groups. */
export interface SlicedFact {
  readonly customer: FoldedCustomer
  readonly subscription_id: string
  /** Plan as stored; null where nothing says it. */
  readonly plan: string | null
  readonly plan_key: number | null
  readonly price_list: string | null
  /** Instant whose tenure counts. */
  readonly at: string
}

export type SliceValue = string | number | null

const COLLECTED_BY_HAND = ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000005']

/** Value of a dimension for a fact (D61), in plain loops over the stored rows and the folded accounts. */
export function slicer(tables: Tables): (dimension: string, fact: SlicedFact) => SliceValue {
  const plans = planFacts(tables)
  const bundles = new Map(tables('subscriptions').map((row) => [row['id'], row['bundle_id']]))
  const tenants = new Map(tables('tenants').map((row) => [String(row['record_id']), row]))
  const manual = new Set(
    tables('tags')
      .filter((tag) => tag['is_active'] === true && tag['object_type'] === 'ACCOUNT')
      .filter((tag) => COLLECTED_BY_HAND.includes(String(tag['tag_definition_id'])))
      .map((tag) => String(tag['account_record_id'])),
  )
  const text = (cell: unknown): string | null => (cell === null || cell === undefined ? null : String(cell))
  return (dimension, { customer, subscription_id, plan, plan_key, price_list, at }) => {
    const { account } = customer
    const facts = plan_key === null ? undefined : plans.get(plan_key)
    switch (dimension) {
      case 'source':
        return 'killbill'
      case 'source_id':
        return text(tenants.get(String(account['tenant_record_id']))?.['id'])
      case 'tenant':
        return text(tenants.get(String(account['tenant_record_id']))?.['external_key'])
      case 'customer_id':
        return text(account['id'])
      case 'customer_name':
        return text(account['name'])
      case 'customer_country':
        return text(account['country'])
      case 'currency':
        return text(account['currency'])
      case 'collection_method':
        return manual.has(String(account['record_id'])) ? 'manual' : 'automatic'
      case 'customer_created_month':
        return monthStart(String(account['created_date']))
      case 'cohort_month':
        return cohortMonth(customer)
      case 'tenure_months':
        return tenure(String(account['created_date']).slice(0, 19), at)
      case 'bundle_id':
        return text(bundles.get(subscription_id))
      case 'price_list':
        return price_list
      case 'plan_id':
        return text(facts?.['plan_id']) ?? plan
      case 'plan_name':
        return text(facts?.['plan_name']) ?? text(facts?.['plan_id']) ?? plan
      default:
        return text(facts?.[dimension])
    }
  }
}

/** Sums by the values of some dimensions, keyed by their JSON. */
export function sumsBy<Fact>(
  facts: readonly Fact[],
  valuesOf: (fact: Fact) => readonly SliceValue[],
  amountsOf: (fact: Fact) => readonly number[],
): Map<string, readonly number[]> {
  const sums = new Map<string, readonly number[]>()
  for (const fact of facts) {
    const key = JSON.stringify(valuesOf(fact))
    const known = sums.get(key)
    sums.set(
      key,
      amountsOf(fact).map((amount, index) => amount + (known?.[index] ?? 0)),
    )
  }
  return sums
}

function cohortMonth({ spans }: FoldedCustomer): string | null {
  const [first] = spans
    .filter((span) => span.is_live)
    .map((span) => span.valid_from)
    .sort()
  return first === undefined ? null : monthStart(first)
}

function tenure(created: string, at: string): number {
  const monthOf = (instant: string) => 12 * Number(instant.slice(0, 4)) + Number(instant.slice(5, 7))
  // Fewer than the months of the calendar between the two, whatever their days are; from far below the loop would take seconds.
  let months = monthOf(at) - monthOf(created) - 2
  while (addPeriod(created, months + 1, 0) <= at) months++
  return months
}
