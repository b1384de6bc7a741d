import { setImmediate as nextTurn } from 'node:timers/promises'
import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import { addonPlanRows, baseAddonRows } from './addon-rows.ts'
import { phaseName, type ResolvedPlan } from './catalog-version.ts'
import {
  billingRule,
  fixedTermOf,
  type PlanFacts,
  type PriceFacts,
  phaseOfType,
  planFacts,
  priceFacts,
  UNKNOWN_PHASE,
} from './phase-facts.ts'
import { inlineRelation } from './relation-columns.ts'
import { editionsByPlan, type TenantCatalog } from './tenant-catalog.ts'
import { digestOf } from './text-digest.ts'
import { type PlanEdition, rectanglesOf } from './timeline.ts'

/** Facts of one price row. `plan_key` is null if no version has the plan. */
interface PricedPhase extends PriceFacts {
  readonly plan_key: number | null
  readonly in_arrears: boolean
}

type Rows = (string | number | boolean | null)[][]

/** Longest time of building rows before other work gets a turn, milliseconds. */
const SLICE_MS = 5

/**
 * The catalog as relations (D23 to D26, D61, D91): `price_line` and `price`, `billing_rule`, `plan`, `fixed_term`, `base_addon`, `addon_plan`.
 * Instants are text, and intervals are half-open. `currencies` are the accounts' currencies. Rows with the currency '' serve
 * accounts without a currency.
 */
export function catalogRelations(
  catalogs: readonly TenantCatalog[],
  currencies: readonly string[],
  planKeys: PlanKeys = numberPlans(),
): InlineRelation[] {
  const making = makeRelations(catalogs, currencies, planKeys)
  for (;;) {
    const step = making.next()
    if (step.done === true) return step.value
  }
}

/** Builds the relations in slices, so that other work gets a turn in between. */
export async function catalogRelationsInTurns(
  catalogs: readonly TenantCatalog[],
  currencies: readonly string[],
  planKeys: PlanKeys,
): Promise<InlineRelation[]> {
  const making = makeRelations(catalogs, currencies, planKeys)
  let began = performance.now()
  for (;;) {
    const step = making.next()
    if (step.done === true) return step.value
    if (performance.now() - began < SLICE_MS) continue
    await nextTurn()
    began = performance.now()
  }
}

/** Yields after each phase of a plan in a currency, and after each plan. With a thousand versions, one plan takes long. */
function* makeRelations(
  catalogs: readonly TenantCatalog[],
  currencies: readonly string[],
  planKeys: PlanKeys,
): Generator<undefined, InlineRelation[]> {
  const rows = {
    price_line: [] as Rows,
    price: [] as Rows,
    billing_rule: [] as Rows,
    fixed_term: [] as Rows,
    base_addon: [] as Rows,
    addon_plan: [] as Rows,
  }
  const priced = [...new Set([...currencies, ''])]
  for (const catalog of catalogs) {
    const plans = yield* editionsByPlan(catalog)
    const addonsEndedBy = baseAddonRows(catalog)
    for (const [planName, editions] of plans) {
      yield* addPriceRows(rows, catalog.tenantKey, { planName, editions, currencies: priced, planKeys })
      rows.fixed_term.push(...fixedTermRows(catalog.tenantKey, planName, editions))
      yield
      rows.addon_plan.push(...addonPlanRows(catalog.tenantKey, planName, editions))
      rows.base_addon.push(...addonsEndedBy(planName, editions))
      yield
    }
  }
  return [
    inlineRelation('price_line', rows.price_line),
    inlineRelation('price', rows.price),
    inlineRelation('billing_rule', rows.billing_rule),
    inlineRelation('plan', planKeys.rows()),
    inlineRelation('fixed_term', rows.fixed_term),
    inlineRelation('base_addon', rows.base_addon),
    inlineRelation('addon_plan', rows.addon_plan),
  ]
}

interface PricedPlan {
  readonly planName: string
  readonly editions: readonly PlanEdition[]
  readonly currencies: readonly string[]
  readonly planKeys: PlanKeys
}

function* addPriceRows(
  rows: { readonly price_line: Rows; readonly price: Rows; readonly billing_rule: Rows },
  tenantKey: number,
  { planName, editions, currencies, planKeys }: PricedPlan,
): Generator<undefined, void> {
  const keys = new Map(editions.map(({ resolved }) => [resolved, planKeys.keyOf(planFacts(resolved))]))
  yield
  for (const type of phaseTypesOf(editions)) {
    for (const currency of currencies) {
      const line = rows.price_line.length + 1
      rows.price_line.push([line, tenantKey, phaseName(planName, type), currency])
      const factsOf = (resolved: ResolvedPlan | null): PricedPhase => {
        const phase = resolved === null ? null : phaseOfType(resolved, type)
        const plan_key = (resolved === null ? undefined : keys.get(resolved)) ?? null
        const in_arrears = resolved?.plan.in_arrears ?? false
        return { ...(phase === null ? UNKNOWN_PHASE : priceFacts(phase, currency)), plan_key, in_arrears }
      }
      for (const { entered_from, entered_to, from, to, facts } of rectanglesOf(editions, factsOf)) {
        const { price, month_numerator, month_denominator, billing_period, has_usage, plan_key, in_arrears } = facts
        rows.price.push([
          line,
          entered_from,
          entered_to,
          from,
          to,
          price,
          month_numerator,
          month_denominator,
          has_usage,
          plan_key,
          billing_period,
          in_arrears,
        ])
      }
      const ruleOf = (resolved: ResolvedPlan | null) => {
        const phase = resolved === null ? null : phaseOfType(resolved, type)
        return resolved === null || phase === null ? null : billingRule(resolved.plan.phases, phase, currency)
      }
      for (const { entered_from, entered_to, from, to, facts } of rectanglesOf(editions, ruleOf)) {
        const name = phaseName(planName, type)
        rows.billing_rule.push([tenantKey, name, currency, entered_from, entered_to, from, to, ...Object.values(facts)])
      }
      yield
    }
  }
}

function phaseTypesOf(editions: readonly PlanEdition[]): Set<string> {
  const types = new Set<string>()
  for (const { resolved } of editions) for (const phase of resolved.plan.phases) types.add(phase.type)
  return types
}

function fixedTermRows(tenantKey: number, planName: string, editions: readonly PlanEdition[]): Rows {
  const termOf = (resolved: ResolvedPlan | null): ReturnType<typeof fixedTermOf> => {
    const phase = resolved === null ? null : phaseOfType(resolved, 'FIXEDTERM')
    return phase === null ? null : fixedTermOf(phase)
  }
  const name = phaseName(planName, 'FIXEDTERM')
  return rectanglesOf(editions, termOf).map(({ entered_from, entered_to, from, to, facts }) => [
    tenantKey,
    name,
    entered_from,
    entered_to,
    from,
    to,
    facts.months,
    facts.days,
  ])
}

/** Numbers for distinct plan facts, so that `plan_key` is unique. A number stays the same as long as this object exists. */
export interface PlanKeys {
  keyOf(facts: PlanFacts): number
  rows(): Rows
  /** Digests of all facts with a number, in the order of the numbers. They continue the numbering in another process. */
  digests(): readonly string[]
}

/** Begins a numbering, or continues the one of these digests. Only facts that come again get into the rows. */
export function numberPlans(digests: readonly string[] = []): PlanKeys {
  const numbers = new Map(digests.map((digest, place) => [digest, place + 1]))
  const met = new Map<number, PlanFacts>()
  const keys = new Map<string, number>()
  return {
    keyOf(facts) {
      const text = JSON.stringify(facts)
      const known = keys.get(text)
      if (known !== undefined) return known
      const digest = digestOf(text)
      const key = numbers.get(digest) ?? numbers.size + 1
      numbers.set(digest, key)
      keys.set(text, key)
      met.set(key, facts)
      return key
    },
    rows: () => [...met].sort(([a], [b]) => a - b).map(([key, facts]) => [key, ...Object.values(facts)]),
    digests: () => [...numbers.keys()],
  }
}
