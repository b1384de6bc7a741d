import { type Fragment, ident, join, relation, sql, value } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import { InternalError } from '../core/errors.ts'
import { type AttributeUse, attributeAlias, attributeJoins, attributeKeyOf, attributeUses } from './attributes.ts'
import { type Audience, audienceConditions, audienceFilters } from './audience.ts'
import type { Condition } from './condition.ts'
import { compileCondition } from './condition-sql.ts'
import type { FactContext } from './field.ts'
import { compileJoins, type JoinName } from './joins.ts'
import { comparable, compileFilter } from './scope.ts'
import type { SegmentCondition, SegmentNode } from './segment.ts'

/** `relation.segment_member` of a request, and the relations it reads. */
export interface CompiledAudience {
  /**
   * Columns customer_key and, if the audience splits, segment_id. One row per customer or, if the audience splits, per customer
   * and segment that contains the customer.
   */
  readonly member: Fragment
  /** Attributes of the conditions, each joined once. */
  readonly attributes: readonly AttributeUse[]
  /** The ids of the branches, if the audience splits. */
  readonly branches: InlineRelation | undefined
  /** Joins that the fields of the conditions need. */
  readonly joins: ReadonlySet<JoinName>
  readonly readsSpans: boolean
}

export interface AudienceContext {
  readonly connector: string
  readonly allowUnpriced: boolean
  /** True with several sources. A customer id is unique only within its source. */
  readonly hasManySources: boolean
}

/**
 * Compiles one pass over the customers (D62). Each attribute is joined once by its key. The spans at the reference instant are
 * reduced once, to one flag per customer and condition. The segments are then evaluated on these columns.
 */
export function compileAudience(audience: Audience, context: AudienceContext): CompiledAudience {
  const conditions = audienceConditions(audience)
  const fact: FactContext = {
    fact: 'level',
    instant: value(audience.before, 'timestamp'),
    isBefore: sql`1 = 1`,
    connector: context.connector,
    allowUnpriced: context.allowUnpriced,
    isNarrowed: false,
  }
  const attributes = attributeUses(audienceFilters(audience).map(({ field }) => field))
  const held = conditions.filter(({ level }) => level === 'span').map(({ condition }) => condition)
  const tests = testsOf(attributes, held, fact)
  const ofCustomer = conditions.filter(({ level }) => level === 'customer').flatMap(({ condition }) => condition.field.joins)
  const member = sql`(
  select customer.customer_key${audience.splits ? sql`, branch.segment_id` : sql``}
  from ${relation('customer')} as customer${compileJoins(ofCustomer.filter((name) => name === 'tenant'))}${ofCustomer.includes('cohort') ? COHORT : sql``}${attributeJoins(attributes, context.hasManySources)}${held.length === 0 ? sql`` : heldJoin(held, fact)}${audience.splits ? BRANCHES : sql``}
  where ${narrowing(audience, tests)}
)`
  return {
    member,
    attributes,
    branches: audience.splits ? branchRelation(audience) : undefined,
    joins: new Set([...ofCustomer, ...held.flatMap(({ field }) => field.joins)]),
    readsSpans: held.length > 0,
  }
}

const COHORT = sql`
  left join ${relation('cohort')} as cohort on cohort.customer_key = customer.customer_key`

const BRANCHES = sql`
  cross join ${relation('segment')} as branch`

type Tests = (condition: SegmentCondition) => Fragment

function narrowing({ conditions, segment, branches, splits }: Audience, tests: Tests): Fragment {
  const filters = conditions.map((condition) => tests({ kind: 'condition', level: 'attribute', condition }))
  const legs = branches.map(({ segment_id, tree }) =>
    splits ? sql`(branch.segment_id = ${value(segment_id, 'text')} and ${compileNode(tree, tests)})` : compileNode(tree, tests),
  )
  const all = [
    ...filters,
    ...(segment === undefined ? [] : [compileNode(segment, tests)]),
    ...(legs.length === 0 ? [] : [sql`(${join(legs, sql`\n    or `)})`]),
  ]
  return join(all, sql`\n    and `)
}

function compileNode(node: SegmentNode, tests: Tests): Fragment {
  if (node.kind === 'condition') return tests(node)
  if (node.nodes.length === 0) return sql`1 = 1`
  const legs = node.nodes.map((inner) => compileNode(inner, tests))
  return sql`(${join(legs, node.op === 'or' ? sql` or ` : sql` and `)})`
}

function testsOf(attributes: readonly AttributeUse[], held: readonly Condition[], fact: FactContext): Tests {
  return ({ level, condition }) => {
    if (level === 'customer') return compileFilter(condition, fact)
    if (level === 'span') {
      const met = sql`held.${ident(`met_${held.indexOf(condition) + 1}`)}`
      // `is_empty` is true if no span has a value, also if there is no span (D62).
      return condition.operator === 'is_empty' ? sql`coalesce(${met}, 0) = 0` : sql`${met} = 1`
    }
    const key = attributeKeyOf(condition.field.key)
    const index = attributes.findIndex((use) => use.key === key)
    if (index < 0) throw new InternalError(`nothing joins the attribute of "${condition.field.key}"`)
    return sql`(${compileCondition(condition, comparable(condition.field, sql`${attributeAlias(index)}.attribute_value`))})`
  }
}

function heldJoin(held: readonly Condition[], fact: FactContext): Fragment {
  const flags = held.map((condition, index) => {
    const test = condition.operator === 'is_empty' ? ({ ...condition, operator: 'is_not_empty' } as const) : condition
    return sql`max(case when ${compileFilter(test, fact)} then 1 else 0 end) as ${ident(`met_${index + 1}`)}`
  })
  return sql`
  left join (
    select fact.customer_key, ${join(flags, sql`,\n      `)}
    from ${relation('mrr_span')} as fact${compileJoins(held.flatMap(({ field }) => field.joins))}
    where fact.valid_from < ${fact.instant} and (fact.valid_to is null or fact.valid_to >= ${fact.instant})
    group by fact.customer_key
  ) as held on held.customer_key = customer.customer_key`
}

function branchRelation({ branches }: Audience): InlineRelation {
  return {
    name: 'segment',
    columns: [{ name: 'segment_id', type: 'text' }],
    rows: branches.map(({ segment_id }) => [segment_id]),
  }
}
