import type { AlertState, DeliveryRecord, DeliveryRun, RunStatus } from '../core/delivery.ts'
import type { SealedText } from './source-store.ts'

/** Changes of a delivery. Omitted fields stay unchanged. */
export type DeliveryChange = Partial<Omit<DeliveryRecord, 'id' | 'created_by' | 'created_at' | 'updated_at' | 'state'>>

/** The end of an attempt. `later`: it is tried again, and `counts` says whether that was one of its attempts. */
export type RunOutcome =
  | {
      readonly kind: 'over'
      readonly status: Exclude<RunStatus, 'waiting'>
      readonly error: string | null
      readonly state?: AlertState
    }
  | { readonly kind: 'later'; readonly at: string; readonly error: string; readonly counts: boolean }
  /** The process stops. */
  | { readonly kind: 'released' }

/** A slot in which a delivery was due. */
export type Slot = Pick<DeliveryRun, 'slot' | 'due_at'>

/** The side schema's deliveries of a workspace. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface DeliveryStore {
  /** By name, then by id. */
  list(): Promise<readonly DeliveryRecord[]>
  get(id: string): Promise<DeliveryRecord | undefined>
  /** AppError `conflict` if there are `most` already. `known`: rows that exist and are not to be sent. */
  create(record: DeliveryRecord, secrets: SealedText | null, known: readonly string[], most: number): Promise<void>
  /** The changed record. Undefined if no delivery has this id. `known` replaces the rows that are known; undefined keeps them. */
  update(
    id: string,
    change: DeliveryChange,
    options: {
      readonly at: string
      readonly secrets?: SealedText | null
      readonly known?: readonly string[]
      readonly resets?: boolean
    },
  ): Promise<DeliveryRecord | undefined>
  /** Removes it with its runs and rows. False if no delivery has this id. */
  remove(id: string): Promise<boolean>
  secrets(id: string): Promise<SealedText | null>

  /** The newest runs of a delivery, at most `limit`. */
  runs(id: string, limit: number): Promise<readonly DeliveryRun[]>
  /** The newest run of each delivery. */
  lastRuns(): Promise<ReadonlyMap<string, DeliveryRun>>
  /** Adds a run unless the slot has one, so that several processes run it once. True if it was added. */
  addRun(id: string, slot: Slot, now: string, status?: 'waiting' | 'missed'): Promise<boolean>
  /** Takes runs that are due, and holds them until `holdUntil`. A run whose process died is due again then. */
  takeRuns(now: string, holdUntil: string): Promise<readonly DeliveryRun[]>
  /** Extends the hold. False if another process has taken the run over, or the delivery is gone. */
  holdRun(run: DeliveryRun, holdUntil: string): Promise<boolean>
  /** Notes a receiver that has accepted the run. */
  noteAccepted(run: DeliveryRun, accepted: readonly string[]): Promise<void>
  /** Ends an attempt, unless another process has taken the run over. With `rows`, they count as sent. */
  endRun(run: DeliveryRun, outcome: RunOutcome, now: string, rows?: readonly string[]): Promise<void>
  /** The rows among these that were sent or were known before. */
  knownRows(id: string, rows: readonly string[]): Promise<ReadonlySet<string>>
  /** Forgets rows and runs from before these instants. */
  prune(before: { readonly rows: string; readonly runs: string }): Promise<void>
}
