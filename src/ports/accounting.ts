import { AppError } from '../core/errors.ts'
import type {
  AccountType,
  BillStatus,
  DeletedRecord,
  DocumentKind,
  ExpenseRecord,
  LineDimensions,
  PaymentType,
} from '../core/expense.ts'
import type { Notification } from './source-store.ts'

/** What a platform answers on consent, or after a rotation; kept sealed. */
export type Secrets = Readonly<Record<string, unknown>>

/** A source as its platform's connector sees it. */
export interface SourceAccess {
  readonly config: Readonly<Record<string, unknown>>
  /** The present secrets. `reconnectNeeded` where there are none or they cannot be opened. */
  secrets(): Promise<Secrets>
  /**
   * Replaces the secrets, one process at a time: `work` gets those that hold when its turn has come (another process may have renewed them
   * meanwhile) and returns the new ones, which are kept before anybody uses them.
   */
  renew(work: (present: Secrets) => Promise<Secrets>): Promise<Secrets>
}

/** One page of a backfill: what to write, and where to go on from if the process ends after that. */
export interface BackfillPage {
  readonly records: readonly (ExpenseRecord | DeletedRecord)[]
  readonly progress: Readonly<Record<string, unknown>>
}

/** Changes since an instant; `isComplete` false says that more happened than the platform lists, so that only a backfill helps. */
export interface Changes {
  readonly records: readonly (ExpenseRecord | DeletedRecord)[]
  readonly isComplete: boolean
}

/**
 * A connection to the books of one company. All errors are AppErrors or InternalErrors; one that
 * `isReconnectNeeded` says that only a new consent helps.
 */
export interface ExpenseConnector {
  /**
   * All records in the order vendor, account, item, bill, expense, bill payment; from `progress` on where a run was cut off, which also
   * remembers `since`: a day, documents dated before it are left out. What changes meanwhile is for `changesSince` the run's start.
   */
  backfill(options: {
    readonly since?: string
    readonly progress: Readonly<Record<string, unknown>> | null
    readonly signal: AbortSignal
  }): AsyncIterable<BackfillPage>
  /** What a notification is about, as it is now; what is gone comes as a DeletedRecord. Empty for what is not kept. */
  fetchAndTranslate(notification: Notification, signal: AbortSignal): Promise<readonly (ExpenseRecord | DeletedRecord)[]>
  /** What has changed since an instant. */
  changesSince(since: string, signal: AbortSignal): Promise<Changes>
  /**
   * Those of these documents that the platform has no more, each confirmed by a question of its own: what was deleted longer ago than changes
   * are listed. Any number of ids.
   */
  missing(kind: DocumentKind, ids: readonly string[], signal: AbortSignal): Promise<readonly DeletedRecord[]>
  normalizeAccountType(native: string): AccountType
  normalizeBillStatus(native: unknown): BillStatus | null
  normalizePaymentType(native: string): PaymentType
  extractDimensions(line: unknown): LineDimensions
  /** Ends the connection on the platform's side. */
  revoke(): Promise<void>
}

/** A company's books as a platform knows them. */
export interface Connection {
  /** `<type>-<id of the company>`. */
  readonly source_id: string
  readonly name: string
  /** What is no secret. */
  readonly config: Readonly<Record<string, unknown>>
}

/** A connection that a program asks for: `source_id` is null where only the consent says whose books it is, secrets where there is to be one. */
export interface Registration extends Omit<Connection, 'source_id'> {
  readonly source_id: string | null
  readonly secrets: Secrets | null
}

/** A platform's consent in the browser (OAuth 2.0 authorisation code). */
export interface Consent {
  /** Where the platform sends the browser back to; it ends in `/api/connectors/<type>/oauth/callback`. */
  readonly redirectUri: string
  /** Where the browser is sent. */
  authorizeUrl(state: string): Promise<string>
  /** What the platform sent back, exchanged: the source it is about. AppError `invalid_value` or `connector_unavailable`. */
  complete(parameters: URLSearchParams): Promise<Connection & { readonly secrets: Secrets }>
}

/** How a platform's notifications are known to be genuine (http-api.md 8). */
export interface Webhooks {
  /** Header of the signature, in small letters. */
  readonly signatureHeader: string
  /** Whether a secret is configured; without one `allowsUnsigned` decides. */
  readonly hasSecret: boolean
  readonly allowsUnsigned: boolean
  /** Constant-time comparison of the signature of the raw body. */
  verifySignature(body: Uint8Array, signature: string): boolean
  /** Constant-time comparison of HTTP Basic credentials; present where the platform is configured to send them, and then always enforced. */
  verifyBasic?(user: string, password: string): boolean
  /** The notifications in a body by the company they are about; undefined is the company that the address names. Irrelevant ones are counted. */
  notificationsOf(payload: unknown): {
    readonly notifications: readonly { readonly source_id: string | undefined; readonly notification: Notification }[]
    readonly ignored: number
  }
}

/** An accounting platform that the product can read: a folder of `connectors/` that is configured under its own name. */
export interface AccountingPlatform {
  readonly type: string
  /** False while the configuration lacks what connecting needs; `missing` names the keys. */
  readonly isConfigured: boolean
  readonly missing: readonly string[]
  readonly consent?: Consent
  /** The source that a program adds (`POST /api/sources`). AppError `validation_failed` with issues at `body.config.<key>`. */
  register(config: unknown): Registration
  readonly webhooks: Webhooks
  /** Minutes between two readings of changes while serving; 0 reads none. */
  readonly syncMinutes: number
  /** How many days back it lists changes; what is older takes a backfill. */
  readonly changesReachDays: number
  connect(source: SourceAccess): ExpenseConnector
}

/** The platform no longer accepts what a source was connected with: only a new consent helps. */
export function reconnectNeeded(detail: string, cause?: unknown): AppError {
  return new AppError('connector_unavailable', detail, { context: { needs_reconnect: true }, cause })
}

/** Whether an error says that a source has to be connected anew. */
export function isReconnectNeeded(error: unknown): boolean {
  return error instanceof AppError && error.context['needs_reconnect'] === true
}
