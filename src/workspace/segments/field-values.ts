import { ARR_BANDS, MRR_BANDS } from '../../query/dimensions/level.ts'
import type { Field } from '../../query/field.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'

/** A value that a condition may name. */
export type ExampleValue = string | number | boolean

/** Columns with a canonical set, by the name that fields have for them. */
const CANONICAL = {
  status: 'mrr_span.status',
  phase_type: 'mrr_span.phase_type',
  plan_interval: 'plan.plan_interval',
  pricing_model: 'plan.pricing_model',
  usage_type: 'plan.usage_type',
  collection_method: 'customer.collection_method',
}

const FIXED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.entries(CANONICAL).map(([name, column]) => [name, canonicalSet(column)] as const),
  ['mrr_band', MRR_BANDS],
  ['arr_band', ARR_BANDS],
])

/** Columns of plans and customers whose values are examples, by the name that fields have for them. */
const SHOWN = {
  plan_id: 'plan_id',
  plan_name: 'plan_name',
  billing_period: 'billing_period',
  product_name: 'product_name',
  product_category: 'product_category',
  customer_country: 'customer_country',
  country: 'customer_country',
  currency: 'currency',
  locale: 'locale',
  time_zone: 'time_zone',
} as const

/** All values that the field can have, where they are few and known beforehand. */
export function enumeratedValues({ key, type }: Field): readonly ExampleValue[] | undefined {
  return type === 'boolean' ? [true, false] : FIXED.get(lastName(key))
}

/** The column of plans or customers that has examples of the field; undefined where values would say who somebody is, or are too dear. */
export function exampleColumn({ key }: Field): string | undefined {
  const name = lastName(key)
  return Object.hasOwn(SHOWN, name) ? SHOWN[name as keyof typeof SHOWN] : undefined
}

/** True for an attribute, and a value of it, of which nothing tells that it is about a person. */
export function isImpersonal(key: string, value: string | boolean): boolean {
  if (typeof value === 'boolean') return true
  return !/mail|name|phone|mobile|address|contact|street|birth/i.test(key) && value.length <= 64 && !value.includes('@')
}

function lastName(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}

function canonicalSet(place: string): readonly string[] {
  const [relation, name] = place.split('.')
  const contract = RELATION_CONTRACTS.find((candidate) => candidate.name === relation)
  return contract?.columns.find((column) => column.name === name)?.values ?? []
}
