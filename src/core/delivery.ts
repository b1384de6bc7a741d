import type { Dated } from './attribute.ts'

/** Days of a week in the order of ISO 8601. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** When a delivery runs: an hour of days, weeks or months on the clock of a zone. A month that lacks the day has its last day instead. */
export type Schedule = { readonly hour: number; readonly zone: string } & (
  | { readonly every: 'day' }
  | { readonly every: 'week'; readonly weekday: Weekday }
  | { readonly every: 'month'; readonly day: number }
)

/** Forms that a webhook takes. */
export const WEBHOOK_FORMS = ['slack', 'teams', 'json'] as const
export type WebhookForm = (typeof WEBHOOK_FORMS)[number]

/** A receiver. `host` is all that is shown of the address of a webhook. `slack` is the configured one. */
export type Receiver =
  | { readonly kind: 'mail'; readonly address: string }
  | { readonly kind: 'slack' }
  | { readonly kind: 'webhook'; readonly id: string; readonly form: WebhookForm; readonly host: string }

/** Kinds of movements that an alert can watch. */
export const WATCHED_MOVEMENTS = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const
export type WatchedMovement = (typeof WATCHED_MOVEMENTS)[number]

/** States of the service that an alert can watch. */
export const WATCHED_SERVICE = ['lag', 'verify', 'exchange_rates', 'billing_health'] as const
export type WatchedService = (typeof WATCHED_SERVICE)[number]

/** The condition of an alert, which is sent only if it calls for a message. */
export type AlertCondition =
  | {
      readonly kind: 'figure'
      readonly metric: string
      /** The parameters of the request as a query string has them, such as `{ query_type: 'revenue', range: 'last-month' }`. */
      readonly params: Readonly<Record<string, string | readonly string[]>>
      /** The field of an answer with several figures, such as that of the summary. */
      readonly field?: string | undefined
      readonly is: 'above' | 'below'
      /** `value`: the figure is compared with the value. `before`: its change since the period before is, as a fraction. */
      readonly against: 'value' | 'before'
      readonly value: number
      /** Runs in a row for which it must hold. */
      readonly hold: number
    }
  | { readonly kind: 'rows'; readonly movements: readonly WatchedMovement[]; readonly least_cents: number }
  | { readonly kind: 'service'; readonly checks: readonly WatchedService[] }

/** The memory of a condition. `held`: runs in a row for which it held. `firing`: the parts that hold and whose message is sent. */
export interface AlertState {
  readonly held: number
  readonly firing: readonly string[]
}

export const NOTHING_FIRES: AlertState = { held: 0, firing: [] }

/** A delivery without its secrets. An alert has a condition, and may have no briefing. */
export interface DeliveryRecord extends Dated {
  readonly id: string
  readonly name: string
  readonly briefing: string | null
  readonly when: Schedule
  readonly to: readonly Receiver[]
  /** Id or name of the segment whose customers count. */
  readonly segment: string | null
  readonly condition: AlertCondition | null
  readonly enabled: boolean
  readonly created_by: string | null
  /** Only slots after this instant run: it is that of the creation, or of the last change of the schedule. */
  readonly since: string
  readonly state: AlertState
}

/** `waiting`: due at `next_attempt_at`. `silent`: the condition did not hold. `missed`: the service was down, or a later slot came. */
export type RunStatus = 'waiting' | 'sent' | 'silent' | 'failed' | 'missed'

/** A run of a delivery in one slot. */
export interface DeliveryRun {
  readonly delivery_id: string
  /** The local hour of the run, such as `2026-11-30T07:00`. */
  readonly slot: string
  /** The instant of the slot. */
  readonly due_at: string
  readonly status: RunStatus
  readonly attempts: number
  readonly started_at: string
  readonly finished_at: string | null
  /** Null for a run that is over. */
  readonly next_attempt_at: string | null
  readonly error: string | null
  /** Receivers that have accepted it, by `receiverKey`. */
  readonly accepted: readonly string[]
  /** Token of the process that works on it. */
  readonly claim: string | null
}

/** Names a receiver within a delivery. */
export function receiverKey(receiver: Receiver): string {
  switch (receiver.kind) {
    case 'mail':
      return `mail:${receiver.address.toLowerCase()}`
    case 'slack':
      return 'slack'
    case 'webhook':
      return `webhook:${receiver.id}`
  }
}

/** Most deliveries of a workspace. */
export const MOST_DELIVERIES = 200
