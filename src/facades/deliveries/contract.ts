import type * as z from 'zod'
import type { DELIVERY, DELIVERY_RUN } from '../../workspace/records/delivery.ts'

/** A mail with a text and an HTML part. `key` names its content: a mail that is sent again has the same `Message-ID`. */
export interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly key: string
}

/** A receiver with its address. */
export type ReceiverAddress =
  | { readonly kind: 'mail'; readonly address: string }
  | { readonly kind: 'slack' }
  | { readonly kind: 'webhook'; readonly url: string }

/** A body for a webhook. */
export interface Post {
  readonly url: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The channels over which briefings leave the product. */
export interface Channels {
  /** Public address of the dashboard. Undefined: the configuration does not name it. */
  readonly origin: string | undefined
  /** ConfigurationError for a channel that is not configured, and for recipients that may not receive mails. */
  check(wanted: { readonly to: readonly string[]; readonly toSlack: boolean }): void
  /** Why a receiver may get nothing, as a sentence without secrets. Undefined if it may. */
  receiverProblem(receiver: ReceiverAddress): string | undefined
  /** AppError `connector_unavailable` if the server does not take it. */
  sendMail(mail: Mail): Promise<void>
  /** AppError `connector_unavailable` if Slack does not take it. */
  postToSlack(message: object, signal: AbortSignal): Promise<void>
  /** AppError `connector_unavailable` names the host, and no other part of the address. */
  post(post: Post, signal: AbortSignal): Promise<void>
}

/** A run in an answer. */
export type RunAnswer = z.infer<typeof DELIVERY_RUN>

/** A delivery in an answer, without secrets. */
export type Delivery = z.infer<typeof DELIVERY.answer>

/** A delivery that was created or changed. `signing_key` is shown only once: when its first JSON webhook was added. */
export interface SavedDelivery {
  readonly delivery: Delivery
  readonly signing_key: string | null
}

/** The message of a run now as text and HTML, or nothing. `reason` says why nothing. */
export interface Preview {
  readonly sends: boolean
  readonly reason: string | null
  readonly subject: string | null
  readonly text: string | null
  readonly html: string | null
}

/** Deliveries and alerts: their records, and their sending. AppError `not_found` for unknown ids. */
export interface Deliveries {
  /** By name. */
  list(): Promise<readonly Delivery[]>
  get(id: string): Promise<Delivery>
  /** The newest runs. */
  runs(id: string): Promise<readonly RunAnswer[]>
  /**
   * Saves a delivery after each receiver has accepted a test message. AppError `validation_failed` with what is wrong with the body, and what a receiver
   * answered.
   */
  create(body: unknown, by: string | null, signal: AbortSignal): Promise<SavedDelivery>
  /** Changes the given fields. Only new receivers get a test message. */
  update(id: string, body: unknown, signal: AbortSignal): Promise<SavedDelivery>
  remove(id: string): Promise<void>
  /** Sends a test message to every receiver. AppError `connector_unavailable` for the first that does not accept it. */
  test(id: string, signal: AbortSignal): Promise<void>
  /** The message of a run now. Nothing is sent or noted. */
  preview(id: string, signal: AbortSignal): Promise<Preview>
  /** Runs once what is due now, as the service does. Resolves to the ids of the deliveries that were due. */
  runDue(signal: AbortSignal): Promise<readonly string[]>
  /** Runs the deliveries of a service until it stops. */
  start(): void
  /** Releases runs that are not over. */
  close(): Promise<void>
}
