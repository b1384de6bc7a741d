import type { Dice } from '../../histories/seeded-dice.ts'
import { type Cells, instantOf, type LagoStore, type StoredRow } from './lago-store.ts'

export const SECOND = 1_000
export const HOUR = 3_600 * SECOND
export const DAY = 24 * HOUR

/** One call of Lago: its instant, and the customer that it is about. */
export interface Scene {
  readonly store: LagoStore
  readonly dice: Dice
  /** Milliseconds since 1970. */
  readonly at: number
  readonly customer: StoredRow
}

/** Writes what one call of Lago writes. Nothing, if the customer has nothing that it could be about. */
export type Write = (scene: Scene) => void

/** Stores a row of the customer's organization. */
export function owned({ store, at, customer }: Scene, table: string, cells: Cells): StoredRow {
  return store.insert(table, at, { organization_id: customer['organization_id'] ?? null, ...cells })
}

/** Rows of the customer. */
export function own({ store, customer }: Scene, table: string): readonly StoredRow[] {
  return store.rows(table).filter((row) => row['customer_id'] === customer['id'])
}

/** The customer's rows of `subscriptions` in a status. */
export function subscriptionsIn(scene: Scene, status: number): readonly StoredRow[] {
  return own(scene, 'subscriptions').filter((row) => row['status'] === status)
}

/** A row that a call is about, if there is one. */
export function pickOne(scene: Scene, rows: readonly StoredRow[]): StoredRow | undefined {
  return rows.length === 0 ? undefined : scene.dice.pick(rows)
}

/** Rows whose column holds this value. */
export function where(
  store: LagoStore,
  table: string,
  column: string,
  value: StoredRow[string] | undefined,
): readonly StoredRow[] {
  return store.rows(table).filter((row) => row[column] === value)
}

/** True if a stored instant is at or before the call. An absent one is not. */
export function isPast({ at }: Pick<Scene, 'at'>, instant: StoredRow[string] | undefined): boolean {
  return instant !== null && instant !== undefined && instantOf(instant) <= at
}

/** The beginning of the second, or the instant itself. */
export function whole(at: number): number {
  return Math.floor(at / SECOND) * SECOND
}
