import { sampleOf } from '../../databases/rotation.ts'
import { isFirst, type Target } from '../../databases/targets.ts'
import type { TenantName } from './recorded-tables.ts'

const TENANTS: readonly TenantName[] = ['alpha', 'beta']

/**
 * The recorded tenants for an engine: both for the first one, and one of them in turn for every other one.
 * `parity/byte-equal` shows that engines answer alike for both together.
 */
export function recordedTenants(target: Target): readonly TenantName[] {
  return sampleOf(target, TENANTS, { first: 1, others: TENANTS.length, shift: 1 })
}

/**
 * The shift of a tenant's sample of like cases. The first engine is asked about all tenants, so each gets other cases. Elsewhere there is no
 * shift: the turn chooses the tenant too, and with a shift it would always choose the same cases.
 */
export function shiftOf(target: Target, tenant: TenantName): number {
  return isFirst(target) ? TENANTS.indexOf(tenant) : 0
}
