import type { Row, Snapshot } from '../../../src/connector-kit/connector.ts'
import { createQueryRunner, type QueryRunner, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { isTrue } from '../../../src/core/boolean.ts'
import { AppError } from '../../../src/core/errors.ts'
import { parseInteger } from '../../../src/core/money.ts'
import type { CatalogVersion } from './catalog-version.ts'
import { parseOnce } from './document-cache.ts'
import type { PhaseOverride, PlanOverride, PlanOverrides } from './override.ts'
import type { TenantCatalog } from './stretch.ts'

/** Above this number of override definitions only the names that occur in events are enumerated. */
const MANY_OVERRIDES = 100

/**
 * Catalogs of the tenants: the rows of `tenant_kvs` (KB 3.2) or, where `documents` is given, those versions for each tenant;
 * overrides always from the database. AppError `unsupported_by_connector` names a row that cannot be read.
 */
export async function loadCatalogs(
  snapshot: Snapshot,
  tenantKeys: readonly number[],
  documents: readonly CatalogVersion[] | null = null,
): Promise<TenantCatalog[]> {
  if (tenantKeys.length === 0) return []
  const run = createQueryRunner(snapshot)
  const stored = documents === null ? await readVersions(run, tenantKeys) : new Map<number, StoredVersions>()
  const overrides = await readOverrides(run, tenantKeys)
  const count = [...overrides.values()].reduce((sum, byNumber) => sum + byNumber.size, 0)
  const phasesInUse = count > MANY_OVERRIDES ? await readPhasesInUse(run, tenantKeys) : null
  return tenantKeys.map((tenantKey) => ({
    tenantKey,
    versions: documents ?? stored.get(tenantKey)?.versions ?? [],
    retired: stored.get(tenantKey)?.retired ?? [],
    overrides: overrides.get(tenantKey) ?? new Map(),
    ...(phasesInUse === null ? {} : { phasesInUse: phasesInUse.get(tenantKey) ?? new Set() }),
  }))
}

interface StoredVersions {
  readonly versions: CatalogVersion[]
  readonly retired: CatalogVersion[]
}

/** Active rows count; a row switched off is kept for plans that only it knows, and never stands in the way. */
async function readVersions(run: QueryRunner, tenantKeys: readonly number[]): Promise<Map<number, StoredVersions>> {
  const rows = await run(
    'killbill.catalog.rows',
    sql`select kv.record_id, kv.tenant_record_id, kv.is_active, kv.tenant_value from tenant_kvs as kv
where kv.tenant_record_id in (${value(tenantKeys, 'integers')}) and kv.tenant_key = 'CATALOG' order by kv.record_id`,
  )
  const byTenant = new Map<number, StoredVersions>(tenantKeys.map((key) => [key, { versions: [], retired: [] }]))
  for (const row of rows) {
    const tenant = byTenant.get(parseInteger(row['tenant_record_id']))
    if (isTrue(row['is_active'])) tenant?.versions.push(...readRow(row))
    else tenant?.retired.push(...readRetiredRow(row))
  }
  return byTenant
}

function readRow(row: Row): readonly CatalogVersion[] {
  try {
    return parseOnce(String(row['tenant_value']))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError(
      'unsupported_by_connector',
      `tenant_kvs record_id ${row['record_id']} is not a readable catalog: ${reason}`,
      {
        context: {
          table: 'tenant_kvs',
          record_id: parseInteger(row['record_id']),
          tenant_record_id: parseInteger(row['tenant_record_id']),
        },
        cause: error,
      },
    )
  }
}

function readRetiredRow(row: Row): readonly CatalogVersion[] {
  try {
    return parseOnce(String(row['tenant_value']))
  } catch {
    return []
  }
}

/** Definitions of each tenant by number, with their phases (KB 3.6). */
async function readOverrides(run: QueryRunner, tenantKeys: readonly number[]): Promise<Map<number, PlanOverrides>> {
  const definitions = await run(
    'killbill.override.plans',
    sql`select plan.record_id, plan.tenant_record_id, plan.parent_plan_name from catalog_override_plan_definition as plan
where plan.tenant_record_id in (${value(tenantKeys, 'integers')})`,
  )
  if (definitions.length === 0) return new Map()
  const phases = await run(
    'killbill.override.phases',
    sql`select link.target_plan_def_record_id, link.tenant_record_id, phase.parent_phase_name, phase.currency, phase.recurring_price
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
    const price = row['recurring_price'] ?? null
    const phase = {
      parent_phase_name: String(row['parent_phase_name']),
      currency: String(row['currency']),
      recurring_price: price === null ? null : String(price),
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

async function readPhasesInUse(run: QueryRunner, tenantKeys: readonly number[]): Promise<Map<number, Set<string>>> {
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
