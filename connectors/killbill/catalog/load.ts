import type { Row, Snapshot } from '../../../src/connector-kit/connector.ts'
import { createQueryRunner, type QueryRunner, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { parseInteger } from '../../../src/core/money.ts'
import { type CatalogVersion, planOfPhase } from './catalog-version.ts'
import {
  ambiguousPlanNames,
  delimiterInUse,
  type OverrideDelimiter,
  type PhaseOverride,
  type PlanOverride,
  type PlanOverrides,
} from './override.ts'
import { readStoredVersions } from './stored-versions.ts'
import type { TenantCatalog } from './tenant-catalog.ts'

/** Above this number of override definitions, only the names that occur in events are enumerated. */
const MANY_OVERRIDES = 100

/** Phase names that occur in events, by tenant. */
export type PhasesInUse = ReadonlyMap<number, ReadonlySet<string>>

/** The sources of catalogs other than the database. */
interface CatalogSettings {
  /** Versions that replace the rows of every tenant. */
  readonly documents?: readonly CatalogVersion[] | null
  /** Delimiter of override names. If absent, the rows show it. */
  readonly delimiter?: OverrideDelimiter | undefined
  /** Absent: a plain runner over the snapshot. */
  readonly run?: QueryRunner
  /** Absent: they are read. Called only if the overrides need them. */
  readonly phases?: () => Promise<PhasesInUse>
  /** True if the fixed prices of overrides can be read. */
  readonly has_fixed_prices?: boolean
}

/**
 * Catalogs of the tenants: the rows of `tenant_kvs` (KB 3.2) or, if `documents` is given, those versions for each tenant. Overrides always
 * come from the database. AppError `unsupported_by_connector` names a row that cannot be read.
 */
export async function loadCatalogs(
  snapshot: Snapshot,
  tenantKeys: readonly number[],
  {
    documents = null,
    delimiter,
    run = createQueryRunner(snapshot),
    phases = () => readPhasesInUse(run, tenantKeys),
    has_fixed_prices = false,
  }: CatalogSettings = {},
): Promise<TenantCatalog[]> {
  if (tenantKeys.length === 0) return []
  const stored = documents === null ? await readStoredVersions(run, tenantKeys, snapshot) : new Map()
  const overrides = await readOverrides(run, tenantKeys, has_fixed_prices)
  const count = [...overrides.values()].reduce((sum, byNumber) => sum + byNumber.size, 0)
  const catalogs = tenantKeys.map((tenantKey) => ({
    tenantKey,
    versions: documents ?? stored.get(tenantKey)?.versions ?? [],
    retired: stored.get(tenantKey)?.retired ?? [],
    records: stored.get(tenantKey)?.records ?? new Map(),
    overrides: overrides.get(tenantKey) ?? new Map(),
  }))
  const mustGuess =
    delimiter === undefined && count > 0 && catalogs.some(({ versions }) => ambiguousPlanNames(versions).length > 0)
  const phasesInUse = mustGuess || count > MANY_OVERRIDES ? await phases() : null
  const shown = delimiter ?? (mustGuess && phasesInUse !== null ? delimiterShown(catalogs, phasesInUse) : undefined)
  return catalogs.map((catalog) => ({
    ...catalog,
    ...(shown === undefined ? {} : { delimiter: shown }),
    ...(phasesInUse === null || count <= MANY_OVERRIDES ? {} : { phasesInUse: phasesInUse.get(catalog.tenantKey) ?? new Set() }),
  }))
}

/** A server has one delimiter. The newest override of all tenants shows it. */
function delimiterShown(
  catalogs: readonly TenantCatalog[],
  phasesInUse: ReadonlyMap<number, ReadonlySet<string>>,
): OverrideDelimiter | undefined {
  const shown = catalogs.flatMap(({ tenantKey, versions, retired = [], overrides }) => {
    const plans = new Set([...(phasesInUse.get(tenantKey) ?? [])].map(planOfPhase))
    const isPlain = (name: string): boolean => [...versions, ...retired].some((version) => version.plans.has(name))
    return delimiterInUse(plans, overrides, isPlain) ?? []
  })
  return shown.sort((a, b) => b.number - a.number)[0]?.delimiter
}

/** Definitions of each tenant by number, with their phases (KB 3.6). */
async function readOverrides(
  run: QueryRunner,
  tenantKeys: readonly number[],
  has_fixed_prices: boolean,
): Promise<Map<number, PlanOverrides>> {
  const definitions = await run(
    'killbill.override.plans',
    sql`select plan.record_id, plan.tenant_record_id, plan.parent_plan_name from catalog_override_plan_definition as plan
where plan.tenant_record_id in (${value(tenantKeys, 'integers')})`,
  )
  if (definitions.length === 0) return new Map()
  const phases = await run(
    'killbill.override.phases',
    sql`select link.target_plan_def_record_id, link.tenant_record_id, phase.parent_phase_name, phase.currency, phase.recurring_price${has_fixed_prices ? sql`, phase.fixed_price` : sql``}
from catalog_override_plan_phase as link
join catalog_override_phase_definition as phase on phase.record_id = link.phase_def_record_id
  and phase.tenant_record_id = link.tenant_record_id
where link.tenant_record_id in (${value(tenantKeys, 'integers')}) order by link.phase_number, link.record_id`,
  )
  return overridesByTenant(definitions, phases)
}

/** Rows of the override tables as definitions per tenant. */
export function overridesByTenant(definitions: readonly Row[], phases: readonly Row[]): Map<number, PlanOverrides> {
  const phasesOf = new Map<string, PhaseOverride[]>()
  for (const row of phases) {
    const key = `${row['tenant_record_id']}:${row['target_plan_def_record_id']}`
    const priceIn = (column: string) => {
      const price = row[column] ?? null
      return price === null ? null : String(price)
    }
    const phase = {
      parent_phase_name: String(row['parent_phase_name']),
      currency: String(row['currency']),
      recurring_price: priceIn('recurring_price'),
      fixed_price: priceIn('fixed_price'),
    }
    phasesOf.set(key, [...(phasesOf.get(key) ?? []), phase])
  }
  const result = new Map<number, Map<number, PlanOverride>>()
  for (const row of definitions) {
    const tenantKey = parseInteger(row['tenant_record_id'])
    const number = parseInteger(row['record_id'])
    const definition = {
      record_id: number,
      parent_plan_name: String(row['parent_plan_name']),
      phases: phasesOf.get(`${tenantKey}:${number}`) ?? [],
    }
    result.set(tenantKey, (result.get(tenantKey) ?? new Map<number, PlanOverride>()).set(number, definition))
  }
  return result
}

/** Reads the phase names of all events. */
export async function readPhasesInUse(run: QueryRunner, tenantKeys: readonly number[]): Promise<PhasesInUse> {
  const rows = await run(
    'killbill.phases.in.use',
    sql`select distinct event.tenant_record_id, event.phase_name from subscription_events as event
where event.tenant_record_id in (${value(tenantKeys, 'integers')}) and event.phase_name is not null`,
  )
  const result = new Map<number, Set<string>>()
  for (const row of rows) {
    const tenantKey = parseInteger(row['tenant_record_id'])
    result.set(tenantKey, (result.get(tenantKey) ?? new Set<string>()).add(String(row['phase_name'])))
  }
  return result
}
