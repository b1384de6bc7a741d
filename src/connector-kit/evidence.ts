import { groupBy } from '../core/group-by.ts'
import type { Row } from '../ports/rows.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'

/** A row behind a number, as the connector looks for its evidence. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface EvidenceSubject {
  readonly customer_id: string
  readonly subscription_id: string | null
  /** Invoice, or key of a usage charge; null for other rows. */
  readonly document_id: string | null
  /** Instant of the change that made the row, or from which its state holds; null if there is none. */
  readonly at: string | null
  /** Reason of the cancellation that the row counts (D46); null if it counts none, or without a reason. */
  readonly cancel_reason: string | null
  /** Minutes around `at` in which the end of a subscription may lie: a swap window moves ends (D83). */
  readonly swap_minutes: number
  /** Currency of its amount in the original currency; null for a count. */
  readonly currency: string | null
  /** Exchange rate of its amount and the day of the rate; null if none was needed. */
  readonly rate: string | null
  readonly rate_day: string | null
  /** Usage charges behind the usage part of the row (D29), each once; empty if the row counts none. */
  readonly usage: readonly CountedCharge[]
}

/** A usage charge that counts in the usage part of MRR. */
export interface CountedCharge {
  /** Key of the charge, as `document_id` has it. */
  readonly charge_id: string
  /** Instant up to which adjustments count. */
  readonly paid_at: string
  /** How much of it counts, in words, as the end of a sentence. */
  readonly counts: string
}

/** A row of the billing database that made a row behind a number. */
export interface Evidence {
  readonly table: string
  /** Number of the row; null if the engine does not number its rows. */
  readonly record_id: number | null
  /** Id of the row in the engine; null if the connector does not read it. A row without a number has an id. */
  readonly id: string | null
  /** Instant that the row is about. */
  readonly occurred_at: string | null
  /** The statement of the row in words, without a full stop. */
  readonly note: string
}

/** Finds evidence in a snapshot of the billing database: a list for each subject, in its order. */
export type FindEvidence = (
  snapshot: Snapshot,
  session: ConnectorSession,
  subjects: readonly EvidenceSubject[],
) => Promise<readonly (readonly Evidence[])[]>

/** True for an invoice, which belongs to no one subscription. */
export function isOfInvoice({ subscription_id, document_id }: EvidenceSubject): boolean {
  return document_id !== null && subscription_id === null
}

/** True for a customer as a whole. */
export function isOfCustomer({ subscription_id, document_id }: EvidenceSubject): boolean {
  return subscription_id === null && document_id === null
}

/** The values of a field of some subjects, each once. */
export function namedIn(
  subjects: readonly EvidenceSubject[],
  field: 'subscription_id' | 'document_id' | 'customer_id',
  wanted: (one: EvidenceSubject) => boolean = () => true,
): readonly string[] {
  return [...new Set(subjects.filter(wanted).flatMap((subject) => subject[field] ?? []))]
}

/** The keys of all usage charges behind some subjects, each once. */
export function chargesIn(subjects: readonly EvidenceSubject[]): readonly string[] {
  return [...new Set(subjects.flatMap(({ usage }) => usage.map(({ charge_id }) => charge_id)))]
}

/** Evidence whose sentence also says how much of the charge counts. */
export function counted(evidence: Evidence, { counts }: CountedCharge): Evidence {
  return { ...evidence, note: `${evidence.note}, ${counts}` }
}

/** Finds rows by the text of a column. */
export function rowsBy(rows: readonly Row[], column: string): (key: string | null) => readonly Row[] {
  const groups = groupBy(rows, (row) => String(row[column]))
  return (key) => (key === null ? [] : (groups.get(key) ?? []))
}

/** The second of an instant of a row, as subjects write it: rows have `YYYY-MM-DD HH:MM:SS` with fractions, subjects have milliseconds. */
export function secondOf(row: Row, column: string): string {
  return String(row[column]).replace(' ', 'T').slice(0, 19)
}

/** True if the instant of the row is in the second `at`. */
export function isAt(row: Row, column: string, at: string | null): boolean {
  return at !== null && secondOf(row, column) === at.slice(0, 19)
}

/** True if the instant of the row is at most `minutes` before or after the second `at`. */
export function isAround(row: Row, column: string, at: string | null, minutes: number): boolean {
  return at !== null && Math.abs(Date.parse(`${secondOf(row, column)}Z`) - Date.parse(`${at.slice(0, 19)}Z`)) <= minutes * 60_000
}

/** True if the instant of the row is in the second `at` or before it. Every instant is, if there is none to compare with. */
export function isBy(row: Row, column: string, at: string | null): boolean {
  return at === null || secondOf(row, column) <= at.slice(0, 19)
}
