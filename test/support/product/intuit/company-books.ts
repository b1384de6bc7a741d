import { isObject } from '../../../../src/core/json.ts'

/** A record as Intuit would show it; numbers keep the digits that they were given with. */
export type Native = Readonly<Record<string, unknown>>

export interface Deletion {
  readonly id: string
  readonly at: string
}

/** The books of one company: what is in them now, and what was deleted. */
export interface Books {
  /** Adds or replaces a record. One without `MetaData` is stamped with the present. Returns its id. */
  put(entity: string, native: Native): string
  /** Deletes as Intuit does: nothing is left but that it happened, now unless told. */
  remove(entity: string, id: string, at?: string): void
  get(entity: string, id: string): Native | undefined
  /** By ascending number. */
  all(entity: string): readonly Native[]
  deleted(entity: string): readonly Deletion[]
}

export function createBooks(): Books {
  const kept = new Map<string, Map<string, Native>>()
  const gone = new Map<string, Deletion[]>()
  let highest = 0
  const of = (entity: string) => {
    const records = kept.get(entity) ?? new Map<string, Native>()
    kept.set(entity, records)
    return records
  }
  return {
    put(entity, native) {
      const id = String(native['Id'] ?? highest + 1)
      highest = Math.max(highest, Number(id))
      const before = of(entity).get(id)
      const now = new Date().toISOString()
      const meta = native['MetaData'] ?? { CreateTime: createdAt(before) ?? now, LastUpdatedTime: now }
      const SyncToken = String(before === undefined ? 0 : Number(before['SyncToken']) + 1)
      of(entity).set(id, { domain: 'QBO', sparse: false, SyncToken, ...native, Id: id, MetaData: meta })
      return id
    },
    remove(entity, id, at = new Date().toISOString()) {
      if (!of(entity).delete(id)) throw new Error(`there is no ${entity} ${id}`)
      gone.set(entity, [...(gone.get(entity) ?? []), { id, at }])
    },
    get: (entity, id) => of(entity).get(id),
    all: (entity) => [...of(entity).values()].sort((a, b) => Number(a['Id']) - Number(b['Id'])),
    deleted: (entity) => gone.get(entity) ?? [],
  }
}

/** When a record was last changed. */
export function changedAt(native: Native): string {
  const meta = native['MetaData']
  return isObject(meta) ? String(meta['LastUpdatedTime']) : ''
}

function createdAt(native: Native | undefined): unknown {
  const meta = native?.['MetaData']
  return isObject(meta) ? meta['CreateTime'] : undefined
}
