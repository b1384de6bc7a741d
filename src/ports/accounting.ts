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

/** The tokens that a platform issues on consent or rotation. The store holds them sealed. */
export type Secrets = Readonly<Record<string, unknown>>

/** A source as its platform's connector sees it. */
export interface SourceAccess {
  readonly config: Readonly<Record<string, unknown>>
  /** The current secrets. Rejects with `reconnectNeeded` if the source has no secrets, or if they cannot be unsealed. */
  secrets(): Promise<Secrets>
  /**
   * Replaces the secrets, one process at a time. `work` receives the secrets that are current at its turn: another process may have renewed
   * them. It returns the new secrets, which are stored before anybody uses them.
   */
  renew(work: (present: Secrets) => Promise<Secrets>): Promise<Secrets>
}

/** One page of a backfill: the records to write, and the point to resume from if the process ends after this page. */
export interface BackfillPage {
  readonly records: readonly (ExpenseRecord | DeletedRecord)[]
  readonly progress: Readonly<Record<string, unknown>>
}

/** Changes since an instant. `isComplete` is false if the platform does not list all changes. Only a backfill helps then. */
export interface Changes {
  readonly records: readonly (ExpenseRecord | DeletedRecord)[]
  readonly isComplete: boolean
}

/**
 * A connection to the books of one company. All errors are AppErrors or InternalErrors. If `isReconnectNeeded` is true for an
 * error, only a new consent helps.
 */
export interface ExpenseConnector {
  /**
   * All records in the order vendor, account, item, bill, expense, bill payment. `progress` resumes a run that was cut off and
   * also remembers `since`. Documents dated before the day `since` are left out. To read changes made during the run, call
   * `changesSince` with the start of the run.
   */
  backfill(options: {
    readonly since?: string
    readonly progress: Readonly<Record<string, unknown>> | null
    readonly signal: AbortSignal
  }): AsyncIterable<BackfillPage>
  /**
   * The current records that a notification refers to. A deleted record comes as a DeletedRecord. Empty for kinds of records that the store
   * does not hold.
   */
  fetchAndTranslate(notification: Notification, signal: AbortSignal): Promise<readonly (ExpenseRecord | DeletedRecord)[]>
  /** The changes since an instant. */
  changesSince(since: string, signal: AbortSignal): Promise<Changes>
  /**
   * Finds the documents in this list that the platform no longer has, and confirms each with a separate request. This covers
   * deletions that are older than the listed changes. Takes any number of ids.
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
  /** Settings that are not secret. */
  readonly config: Readonly<Record<string, unknown>>
}

/**
 * A connection that a program requests. `source_id` is null if the company is known only after the consent. `secrets` is null if
 * a consent follows.
 */
export interface Registration extends Omit<Connection, 'source_id'> {
  readonly source_id: string | null
  readonly secrets: Secrets | null
}

/** A platform's consent in the browser (OAuth 2.0 authorisation code). */
export interface Consent {
  /** The platform sends the browser back to this address. It ends in `/api/connectors/<type>/oauth/callback`. */
  readonly redirectUri: string
  /** The address to send the browser to. */
  authorizeUrl(state: string): Promise<string>
  /**
   * Exchanges the parameters that the platform sent back for the connection and its secrets. AppError `invalid_value` or
   * `connector_unavailable`.
   */
  complete(parameters: URLSearchParams): Promise<Connection & { readonly secrets: Secrets }>
}

/** Reads a platform's webhooks and checks that they are genuine (http-api.md 8). */
export interface Webhooks {
  /** Name of the signature header, in lower case. */
  readonly signatureHeader: string
  /** True if a secret is configured. Without a secret, `allowsUnsigned` decides. */
  readonly hasSecret: boolean
  readonly allowsUnsigned: boolean
  /** Constant-time comparison of the signature of the raw body. */
  verifySignature(body: Uint8Array, signature: string): boolean
  /** Constant-time comparison of HTTP Basic credentials. Present if the platform is configured to send them, and then always enforced. */
  verifyBasic?(user: string, password: string): boolean
  /**
   * The notifications in a body, each with its source. `source_id` is undefined if the address names the source. Irrelevant notifications
   * are only counted.
   */
  notificationsOf(payload: unknown): {
    readonly notifications: readonly { readonly source_id: string | undefined; readonly notification: Notification }[]
    readonly ignored: number
  }
}

/** An accounting platform that the product can read: a folder of `connectors/`, configured under its own name. */
export interface AccountingPlatform {
  readonly type: string
  /** False while the configuration lacks keys that a connection needs. `missing` names them. */
  readonly isConfigured: boolean
  readonly missing: readonly string[]
  readonly consent?: Consent
  /** Registers a source that a program adds (`POST /api/sources`). AppError `validation_failed` with issues at `body.config.<key>`. */
  register(config: unknown): Registration
  readonly webhooks: Webhooks
  /** Minutes between two readings of changes while the service runs. 0 turns them off. */
  readonly syncMinutes: number
  /** Number of past days for which the platform lists changes. Older changes need a backfill. */
  readonly changesReachDays: number
  connect(source: SourceAccess): ExpenseConnector
}

/** The error for a source whose secrets the platform no longer accepts. Only a new consent helps. */
export function reconnectNeeded(detail: string, cause?: unknown): AppError {
  return new AppError('connector_unavailable', detail, { context: { needs_reconnect: true }, cause })
}

/** True if an error says that a source must be connected again. */
export function isReconnectNeeded(error: unknown): boolean {
  return error instanceof AppError && error.context['needs_reconnect'] === true
}
