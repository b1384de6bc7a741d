import type { TenantName } from './real-fold.ts'
import type { Target } from './targets.ts'
import { turnsOf } from './turns.ts'

const TENANTS: readonly TenantName[] = ['alpha', 'beta']

/**
 * The recorded tenants that an engine is asked about: the first one about both, every other one about one of them in turn, which is the
 * smaller one unless told otherwise. That engines answer alike for both together is what `parity/byte-equal` shows.
 */
export function recordedTenants(target: Target): readonly TenantName[] {
  return turnsOf(target, TENANTS, { first: 1, others: TENANTS.length, shift: 1 })
}
