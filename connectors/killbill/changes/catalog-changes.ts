import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import { DIGEST_LENGTH, digestOf } from '../catalog/text-digest.ts'

type Relations = readonly InlineRelation[]

/** Relations whose changes may reach any account. */
const CALENDAR = ['fixed_term', 'base_addon', 'addon_plan']
/** Most prices with a digest each. More have one digest together. */
const MOST_PRICES = 5_000

/** A phase and a currency whose prices have changed. */
export interface PriceChange {
  readonly phase: string
  readonly currency: string
}

/** Digests of a catalog's relations. It is JSON. */
export interface CatalogMarks {
  /** Digest of all relations. */
  readonly all: string
  readonly calendar: string
  /** For each phase and currency, the digest of its name and that of its prices. Null if they are too many. */
  readonly prices: string | null
}

const made = new WeakMap<Relations, CatalogMarks>()

/** The digests of the relations. */
export function catalogMarks(relations: Relations): CatalogMarks {
  const known = made.get(relations)
  if (known !== undefined) return known
  const prices = [...pricesOf(relations)].map(([key, text]) => digestOf(key) + digestOf(text))
  const marks = {
    all: digestOf(JSON.stringify(relations)),
    calendar: digestOf(JSON.stringify(CALENDAR.map((name) => rowsOf(relations, name)))),
    prices: prices.length > MOST_PRICES ? null : prices.sort().join(''),
  }
  made.set(relations, marks)
  return marks
}

/**
 * Compares the relations with the marks of earlier ones that had the same plan numbers. Null means that every account may be affected, as
 * far as the marks can tell. `before` are the earlier relations, if they are still known: marks do not name a phase that is gone.
 */
export function catalogChange(marks: CatalogMarks, now: Relations, before?: Relations): readonly PriceChange[] | null {
  const current = catalogMarks(now)
  if (current.all === marks.all) return []
  if (current.calendar !== marks.calendar) return null
  const named = new Map([...pricesOf(before ?? []), ...pricesOf(now)].map(([key]) => [digestOf(key), key]))
  const [old, fresh] = [digestsOf(marks, before), digestsOf(current, now)]
  if (old === null || fresh === null) return null
  const changes: PriceChange[] = []
  for (const digest of new Set([...old.keys(), ...fresh.keys()])) {
    if (old.get(digest) === fresh.get(digest)) continue
    const key = named.get(digest)
    if (key === undefined) return null
    const [, phase, currency] = JSON.parse(key) as [tenant: number, phase: string, currency: string]
    changes.push({ phase, currency })
  }
  return changes
}

function digestsOf({ prices }: CatalogMarks, relations: Relations | undefined): ReadonlyMap<string, string> | null {
  if (prices !== null) {
    const pairs = unpacked(prices, 2 * DIGEST_LENGTH)
    return new Map(pairs.map((pair) => [pair.slice(0, DIGEST_LENGTH), pair.slice(DIGEST_LENGTH)]))
  }
  return relations === undefined ? null : new Map([...pricesOf(relations)].map(([key, text]) => [digestOf(key), digestOf(text)]))
}

/** Pieces of one length that were joined. */
export function unpacked(text: string, length: number): readonly string[] {
  return Array.from({ length: text.length / length }, (_, place) => text.slice(place * length, (place + 1) * length))
}

function rowsOf(relations: Relations, name: string): InlineRelation['rows'] {
  return relations.find((relation) => relation.name === name)?.rows ?? []
}

/** Price rows as text by tenant, phase and currency, because line numbers differ between two moments. */
function pricesOf(relations: Relations): ReadonlyMap<string, string> {
  const lines = new Map(rowsOf(relations, 'price_line').map(([line, ...key]) => [line, JSON.stringify(key)]))
  const texts = new Map<string, string[]>()
  for (const [line, ...facts] of rowsOf(relations, 'price')) {
    const key = lines.get(line ?? null) ?? ''
    const group = texts.get(key) ?? []
    group.push(JSON.stringify(facts))
    texts.set(key, group)
  }
  return new Map([...texts].map(([key, rows]) => [key, rows.join()]))
}
