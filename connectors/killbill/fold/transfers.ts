import { groupBy } from './group.ts'
import type { Instant } from './instant.ts'

/** A call's record about a bundle: its key at that time and the instant. */
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
  /** Its subscription's first TRANSFER, null if it begins otherwise. */
  readonly moved_at: Instant | null
  /** Its insertion. Null if the history does not show it. Only read for bundles that begin with TRANSFER. */
  readonly inserted: BundleRecord | null
  /** The times that it was given a key of those which the engine gives to a bundle that it transfers. */
  readonly renamed: readonly BundleRecord[]
}

/** Bundle key without the prefixes of a transfer or a re-used key (D19, D33). */
export function bundleLine(externalKey: string): string {
  return externalKey.replace(/^(?:(?:kbtsf|kbcncl)-[0-9]+:)+/, '')
}

/** A bundle that was transferred away by what its history or its key says. */
export function isGiven({ renamed, external_key }: TransferBundle): boolean {
  return renamed.length > 0 || isPrefixed(external_key)
}

/**
 * Bundles that were transferred away → instant of the successor's TRANSFER (D19). Needs the transferred bundles and the received
 * ones only.
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

/** The call that renames a bundle inserts its successor under the key it had, at the same instant. */
function callOf({ tenant_record_id }: TransferBundle, { external_key, at }: BundleRecord): string {
  return `${tenant_record_id}:${at}:${external_key}`
}

function lineOf({ tenant_record_id, external_key }: TransferBundle): string {
  return `${tenant_record_id}:${bundleLine(external_key)}`
}
