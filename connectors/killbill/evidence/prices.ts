import type { Row } from '../../../src/connector-kit/connector.ts'
import type { Evidence } from '../../../src/connector-kit/evidence.ts'
import { text } from '../../../src/connector-kit/query-runner.ts'
import { isoInstant } from '../../../src/core/periods.ts'
import { type CatalogVersion, phaseName, planOfPhase, typeOfPhase } from '../catalog/catalog-version.ts'
import { readOverrideName } from '../catalog/override.ts'
import { phaseOfType, priceFacts } from '../catalog/phase-facts.ts'
import { editionsOfPlan, type TenantCatalog } from '../catalog/tenant-catalog.ts'
import { type Bound, rectanglesOf } from '../catalog/timeline.ts'
import { amountOf } from './records.ts'

/** A stored phase of a subscription at an instant. Instants are `YYYY-MM-DD HH:MM:SS`. */
export interface PhaseInForce {
  readonly tenantKey: number
  readonly phase_name: string
  readonly currency: string
  /** When the subscription entered the plan. */
  readonly entered_at: string
  readonly at: string
}

/** The price of a phase and its source. */
export interface PriceInForce {
  readonly price: string
  readonly billing_period: string | null
  readonly currency: string
  /** Name of the phase in the catalog. */
  readonly phase_name: string
  readonly version: CatalogVersion
  /** Record id of the version in `tenant_kvs`; undefined for a catalog from elsewhere. */
  readonly record_id: number | undefined
  /** The price date from which it holds for existing subscriptions. Undefined if it held at the entry. */
  readonly since: string | undefined
  /** Number of the override definition that the name of the plan has. */
  readonly override: number | undefined
}

/** The price in force, by the rules that price the phase (KB 3.5). Undefined for a phase that is free by its type or has no price. */
export function priceInForce(
  catalogs: readonly TenantCatalog[],
  { tenantKey, phase_name, currency, entered_at, at }: PhaseInForce,
): PriceInForce | undefined {
  const catalog = catalogs.find((one) => one.tenantKey === tenantKey)
  const [plan, type] = [planOfPhase(phase_name), typeOfPhase(phase_name)?.toUpperCase()]
  if (catalog === undefined || type === undefined) return undefined
  const editions = editionsOfPlan(catalog, plan)
  const versionOf = new Map(editions.map(({ resolved, version }) => [resolved, version]))
  const found = rectanglesOf(editions, (resolved) => {
    const version = resolved === null ? undefined : versionOf.get(resolved)
    const phase = resolved === null ? null : phaseOfType(resolved, type)
    if (resolved === null || version === undefined || phase === null || phase.recurring === null) return null
    return { version, phase_name: phaseName(resolved.plan.name, type), ...priceFacts(phase, currency) }
  }).find(({ entered_from, entered_to, from, to }) => isWithin(entered_at, entered_from, entered_to) && isWithin(at, from, to))
  if (found === undefined || found.facts.price === null) return undefined
  const { price, version } = found.facts
  return {
    price,
    billing_period: found.facts.billing_period,
    currency,
    phase_name: found.facts.phase_name,
    version,
    record_id: catalog.records?.get(version),
    since: found.from === null || found.from.slice(0, 19) <= entered_at ? undefined : found.from,
    override: numberOf(plan, catalog),
  }
}

function numberOf(plan: string, { overrides }: TenantCatalog): number | undefined {
  const reading = readOverrideName(plan)
  return reading !== null && overrides.get(reading.number)?.parent_plan_name === reading.parent ? reading.number : undefined
}

function isWithin(at: string, from: Bound, to: Bound): boolean {
  return (from === null || from.slice(0, 19) <= at) && (to === null || at < to.slice(0, 19))
}

/** Whether two prices are the same, from the same source. */
export function isSamePrice(one: PriceInForce | undefined, other: PriceInForce | undefined): boolean {
  return one?.price === other?.price && one?.version === other?.version && one?.override === other?.override
}

/** The row that states a price: the price of an override, else the catalog. None if the catalog is not in the database. */
export function priceNote(found: PriceInForce, overrides: readonly Row[]): readonly Evidence[] {
  const { price, billing_period, currency, version, record_id, since, override, phase_name } = found
  const own = overrides.find(
    (row) =>
      Number(row['target_plan_def_record_id']) === override &&
      row['currency'] === currency &&
      row['recurring_price'] !== null &&
      amountOf(row['recurring_price']) === Number(price) &&
      typeOfPhase(text(row['parent_phase_name'])) === typeOfPhase(phase_name),
  )
  const stated = `price ${Number(price)} ${currency}${billing_period === null ? '' : ` ${billing_period}`}`
  if (own !== undefined) {
    const note = `${stated} by override ${override} of phase ${text(own['parent_phase_name'])}`
    return [
      { table: 'catalog_override_phase_definition', record_id: Number(own['record_id']), id: null, occurred_at: null, note },
    ]
  }
  if (record_id === undefined) return []
  const day = version.effective_at.toISOString().slice(0, 10)
  const note = `${stated} of phase ${phase_name} in the catalog of ${day}${since === undefined ? '' : `, since the price date ${since.slice(0, 10)}`}`
  const occurred_at = since === undefined ? version.effective_at.toISOString() : isoInstant(since)
  return [{ table: 'tenant_kvs', record_id, id: null, occurred_at, note }]
}
