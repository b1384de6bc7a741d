import { groupBy } from './group.ts'
import type { Instant } from './instant.ts'

/** A bundle as the transfer rule sees it; `moved_at` = its subscription's first TRANSFER, null where it begins otherwise. */
export interface TransferBundle {
  readonly record_id: number
  readonly tenant_record_id: number
  readonly id: string
  readonly external_key: string
  readonly moved_at: Instant | null
}

/** Bundle key without the prefixes that a transfer or a re-used key adds (D19, D33). */
export function bundleLine(externalKey: string): string {
  return externalKey.replace(/^(?:(?:kbtsf|kbcncl)-[0-9]+:)+/, '')
}

/**
 * Bundles that were transferred away → instant of the successor's TRANSFER (D19): the bundle of the same tenant and line with the
 * smallest larger `record_id` that begins with TRANSFER. Needs the transferred bundles and the received ones only.
 */
export function transferInstants(bundles: readonly TransferBundle[]): Map<string, Instant> {
  const lineOf = ({ tenant_record_id, external_key }: TransferBundle) => `${tenant_record_id}:${bundleLine(external_key)}`
  const received = groupBy(
    bundles.filter((bundle) => bundle.moved_at !== null).sort((a, b) => a.record_id - b.record_id),
    lineOf,
  )
  const instants = new Map<string, Instant>()
  for (const given of bundles.filter((bundle) => bundle.external_key.startsWith('kbtsf-'))) {
    const successor = received.get(lineOf(given))?.find((bundle) => bundle.record_id > given.record_id)
    if (successor?.moved_at) instants.set(given.id, successor.moved_at)
  }
  return instants
}
