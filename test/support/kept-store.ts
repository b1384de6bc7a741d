import type { AttributeType, AttributeValue, StoredAttribute } from '../../src/core/attribute.ts'
import type { SegmentRecord } from '../../src/core/segment.ts'
import type { AttributeStore, SegmentStore, Store } from '../../src/engine/ports.ts'
import { ratesOnly } from './real-engine.ts'

/** Attributes and segments of a test, by key and by id. */
export interface Kept {
  readonly attributes?: Readonly<Record<string, { readonly type: AttributeType; readonly values: readonly AttributeValue[] }>>
  readonly segments?: Readonly<Record<string, unknown>>
}

const AT = '2026-01-01T00:00:00.000Z'

/** Id of the nth segment of a test. */
export function segmentId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** A store in memory with these attributes and segments, and the rates of a CSV text; the database stores have tests of their own. */
export async function keptStore({ attributes = {}, segments = {} }: Kept, ratesCsv = 'date,from,to,rate\n'): Promise<Store> {
  const store = await ratesOnly(ratesCsv)
  const definitions = Object.entries(attributes).map(
    ([key, { type }]): StoredAttribute => ({
      key,
      label: key,
      type,
      source: 'csv',
      description: null,
      created_at: AT,
      updated_at: AT,
    }),
  )
  return {
    ...store,
    attributes: {
      definitions: async () => definitions,
      notes: async () => [],
      values: async (key) => attributes[key]?.values ?? [],
    } as Partial<AttributeStore> as AttributeStore,
    segments: {
      list: async () =>
        Object.entries(segments).map(
          ([id, definition]): SegmentRecord => ({
            id,
            name: id,
            description: null,
            definition,
            created_by: null,
            created_at: AT,
            updated_at: AT,
          }),
        ),
      definitions: async (ids) => new Map(ids.filter((id) => Object.hasOwn(segments, id)).map((id) => [id, segments[id]])),
    } as Partial<SegmentStore> as SegmentStore,
  }
}

/** A definition whose root is `and` of these nodes. */
export function allOf(...conditions: readonly unknown[]): unknown {
  return { version: 1, root: { op: 'and', conditions } }
}

/** A definition whose root is `or` of these nodes. */
export function anyOf(...conditions: readonly unknown[]): unknown {
  return { version: 1, root: { op: 'or', conditions } }
}
