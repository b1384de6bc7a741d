import type { AttributeType, AttributeValue, StoredAttribute } from '../../../src/core/attribute.ts'
import type { SegmentRecord } from '../../../src/core/workspace.ts'
import type { AttributeStore } from '../../../src/ports/attribute-store.ts'
import type { DeliveryStore } from '../../../src/ports/delivery-store.ts'
import type { ExpenseStore } from '../../../src/ports/expense-store.ts'
import type { MarkStore } from '../../../src/ports/mark-store.ts'
import type { SegmentStore, Store, WorkspaceStore } from '../../../src/ports/store.ts'
import { ratesOnly } from './recorded-engine.ts'

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

/** Its name. */
export function nameOfSegment(id: string): string {
  return `Segment ${Number(id.slice(-12))}`
}

/** A store in memory with these attributes and segments, and the rates of a CSV text; the database stores have their own tests. */
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
  const kept: Partial<WorkspaceStore> = {
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
            name: nameOfSegment(id),
            description: null,
            definition,
            created_by: null,
            created_at: AT,
            updated_at: AT,
          }),
        ),
      named: async (texts) =>
        Object.entries(segments).flatMap(([id, definition]) => {
          const name = nameOfSegment(id)
          return texts.includes(id) || texts.includes(name) ? [{ id, name, definition }] : []
        }),
      names: async () => Object.keys(segments).map(nameOfSegment),
    } as Partial<SegmentStore> as SegmentStore,
    marks: { list: async () => [] } as Partial<MarkStore> as MarkStore,
    deliveries: { list: async () => [] } as Partial<DeliveryStore> as DeliveryStore,
    expenses: { hasDocuments: async () => false } as Partial<ExpenseStore> as ExpenseStore,
  }
  return { ...store, inWorkspace: () => kept as WorkspaceStore }
}

/** A definition whose root is `and` of these nodes. */
export function allOf(...conditions: readonly unknown[]): unknown {
  return { version: 1, root: { op: 'and', conditions } }
}

/** A definition whose root is `or` of these nodes. */
export function anyOf(...conditions: readonly unknown[]): unknown {
  return { version: 1, root: { op: 'or', conditions } }
}
