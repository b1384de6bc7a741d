import type { CatalogMarks } from './catalog-changes.ts'
import type { LogMarks } from './change-log.ts'
import type { StoredInUse } from './in-use.ts'
import { LOGS } from './logs.ts'
import type { Settling } from './settling.ts'

/** The shape of the marks. Marks of another shape are not understood. */
const SHAPE = 2

/** The state of the rows of a mirror, from which a later process finds what has changed. It is JSON. */
export interface Marks {
  readonly shape: typeof SHAPE
  /** Identifies these marks among all others. */
  readonly id: string
  readonly dialect: string
  readonly logs: LogMarks
  readonly settling: Settling
  /** The storage of each known server, by its name (`ServerState`). */
  readonly servers: Readonly<Record<string, string>>
  /** Digest of all that reaches the rows of every account: schema, tenants, parameters. */
  readonly facts: string
  /** Digest of the session without its catalog. */
  readonly session: string
  readonly catalog: CatalogMarks
  /** Digests of the plans, in the order of their numbers. */
  readonly plans: string
  /** Null if they are not known at the snapshot of these marks. */
  readonly in_use: StoredInUse | null
}

/** Marks of the current shape. */
export function marksOf(marks: Omit<Marks, 'shape'>): Marks {
  return { shape: SHAPE, ...marks }
}

/** The marks of an earlier look. Undefined if there are none, or if they have another shape. */
export function readMarks(given: unknown): Marks | undefined {
  const marks = given as Marks | undefined | null
  if (marks?.shape !== SHAPE) return undefined
  return LOGS.every(({ table }) => marks.logs.watched[table] !== undefined) ? marks : undefined
}
