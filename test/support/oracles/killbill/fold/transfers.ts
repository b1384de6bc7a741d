import { groupBy } from './group.ts'
import type { Instant } from './instant.ts'

/** A history row of a bundle: its key at that time, and the instant of the engine's call. */
export interface BundleRecord {
  readonly external_key: string
  readonly at: Instant
}

/** A bundle as the transfer rule sees it. */
export interface TransferBundle {
  readonly record_id: number
  readonly tenant_record_id: number
  readonly id: string
  readonly external_key: string
  /** Instant of the first TRANSFER of its subscription. Null if the subscription has no TRANSFER. */
  readonly moved_at: Instant | null
  /** The insertion of the bundle. Null if the history does not show it. Read only for bundles with a TRANSFER. */
  readonly inserted: BundleRecord | null
  /** The history rows in which the engine gave it the key of a transferred bundle (prefix `kbtsf-`). */
  readonly renamed: readonly BundleRecord[]
}

/** Bundle key without the prefixes of a transfer or a re-used key (D19, D33). */
export function bundleLine(externalKey: string): string {
  return externalKey.replace(/^(?:(?:kbtsf|kbcncl)-[0-9]+:)+/, '')
}

/** True if its history or its key shows that a bundle was transferred away. */
export function isGiven({ renamed, external_key }: TransferBundle): boolean {
  return renamed.length > 0 || isPrefixed(external_key)
}

/**
 * Bundles that were transferred away → instant of the successor's TRANSFER (D19). `bundles` needs only the transferred and the
 * received ones.
 */
export function transferInstants(bundles: readonly TransferBundle[]): Map<string, Instant> {
  const received = bundles.filter((bundle) => bundle.moved_at !== null).sort((a, b) => a.record_id - b.record_id)
  const byCall = groupBy(received, (bundle) => (bundle.inserted === null ? '' : callOf(bundle, bundle.inserted)))
  const byLine = groupBy(received, lineOf)
  const instants = new Map<string, Instant>()
  for (const given of bundles.filter(isGiven)) {
    const next = (candidates: readonly TransferBundle[] = []) => candidates.find((bundle) => bundle.record_id > given.record_id)
    const inserted = given.renamed.flatMap(({ external_key, at }) => {
      const key = external_key.replace(/^kbtsf-[0-9]+:/, '')
      return next(byCall.get(callOf(given, { external_key: key, at }))) ?? []
    })
    const [called] = inserted.sort((a, b) => a.record_id - b.record_id)
    const successor = called ?? (isPrefixed(given.external_key) ? next(byLine.get(lineOf(given))) : undefined)
    if (successor?.moved_at) instants.set(given.id, successor.moved_at)
  }
  return instants
}

function isPrefixed(externalKey: string): boolean {
  return externalKey.startsWith('kbtsf-')
}

/**
 * Key of an engine call. The call that renames a bundle inserts its successor at the same instant, under the bundle's former key.
 */
function callOf({ tenant_record_id }: TransferBundle, { external_key, at }: BundleRecord): string {
  return `${tenant_record_id}:${at}:${external_key}`
}

function lineOf({ tenant_record_id, external_key }: TransferBundle): string {
  return `${tenant_record_id}:${bundleLine(external_key)}`
}
