import { sampleOf } from '../../databases/rotation.ts'
import { isFirst, type Target } from '../../databases/targets.ts'
import type { TenantName } from '../../oracles/fold/fold-recorded.ts'

const TENANTS: readonly TenantName[] = ['alpha', 'beta']

/**
 * The recorded tenants that an engine is asked about: the first one about both, every other one about one of them in turn, which is the
 * smaller one unless told otherwise. That engines answer alike for both together is what `parity/byte-equal` shows.
 */
export function recordedTenants(target: Target): readonly TenantName[] {
  return sampleOf(target, TENANTS, { first: 1, others: TENANTS.length, shift: 1 })
}

/**
 * How far a tenant's share of like cases is shifted: on the first engine, which is asked about all tenants, one is asked what another is not; elsewhere
 * the turn, which chooses the tenant, would always choose the same cases of it.
 */
export function shiftOf(target: Target, tenant: TenantName): number {
  return isFirst(target) ? TENANTS.indexOf(tenant) : 0
}
