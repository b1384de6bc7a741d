import { once } from '../core/async.ts'
import type { Principal } from '../core/auth.ts'
import { AppError } from '../core/errors.ts'
import { onDemand } from '../core/on-demand.ts'
import type { AuditEvent } from '../ports/auth-store.ts'
import type { Raw } from '../query/raw-parameters.ts'
import { type AuditPage, auditPage } from './audit.ts'
import { createAuthenticate, type VerifiedCredential } from './authenticate.ts'
import { collapseRepeats, createFirstSeen } from './collapse-repeats.ts'
import { type AuthDependencies, instantNow, openAuthStores } from './deps.ts'
import { type AuthFinding, authFindings } from './findings.ts'
import type { Issuer, IssuerOptions } from './issuer.ts'
import { createJournal } from './journal.ts'
import { createKeyResource, type KeyResource } from './keys.ts'
import { type ChangeRecorder, changeRecorder, type Initiator } from './recorder.ts'

/** Settings that the web page needs before sign-in (http-api.md 9). */
export interface SignInConfig {
  readonly auth_enabled: boolean
  readonly oidc_issuer: string | null
  readonly oidc_client_id: string | null
}

/** The request that causes an audit event. */
export type RequestOrigin = NonNullable<Initiator['request']>

/** The recorded part of an accepted request. */
type AuditedAction = Pick<AuditEvent, 'action' | 'target' | 'status'>

/** Authentication and the audit log (http-api.md 9). */
export interface AuthResource {
  /** True if requests need a credential. */
  readonly isEnabled: boolean
  readonly config: SignInConfig
  readonly keys: KeyResource
  /** Records changes that the command line can make too. */
  readonly changes: ChangeRecorder
  /**
   * The principal of a credential. AppError `unauthorized`. AppError `connector_unavailable` if the store or the issuer cannot be
   * reached: nobody is let in unchecked.
   */
  signIn(credential: string | undefined, request: RequestOrigin): Promise<Principal>
  /** Records an action of a principal. Does nothing if authentication is off. The event is written later, and no answer waits for it. */
  record(principal: Principal, audited: AuditedAction, request: RequestOrigin): void
  /** A page of the audit log, newest first. AppError `invalid_value`. */
  audit(params?: Raw): Promise<AuditPage>
  /** Findings about keys and issuer. Empty if authentication is off. */
  findings(): Promise<readonly AuthFinding[]>
  /** Writes the events recorded so far. AppError `connector_unavailable`. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Authentication with the side store and the issuer. The store is opened and the issuer contacted only when needed. */
export function createAuthResource(deps: AuthDependencies, issuerOptions: IssuerOptions = {}): AuthResource {
  const { settings, onFailure } = deps
  const openStores = openAuthStores(deps)
  const journal = createJournal(openStores, settings.audit_days, onFailure)
  const repeats = collapseRepeats(journal.record)
  const { oidc_issuer } = settings
  const issuer = oidc_issuer === undefined ? undefined : once(() => openIssuer(oidc_issuer, issuerOptions))
  const authenticate = createAuthenticate({ settings, keys: async () => (await openStores()).keys, issuer })
  const isFirst = createFirstSeen()

  const noteSignIn = ({ principal, key, token }: VerifiedCredential, request: RequestOrigin): void => {
    if (key !== undefined) journal.noteUse(key.id, key.last_used_at)
    if (token === undefined) return
    const name = JSON.stringify([token.sub, token.jti ?? token.iat ?? token.exp])
    if (!isFirst(name, token.exp * 1_000)) return
    journal.record(eventOf(principal, { action: 'sign_in', target: null, status: null }, request))
  }
  return {
    isEnabled: settings.enabled,
    config: {
      auth_enabled: settings.enabled,
      oidc_issuer: (settings.enabled ? settings.oidc_issuer : undefined) ?? null,
      oidc_client_id: (settings.enabled ? settings.oidc_client_id : undefined) ?? null,
    },
    keys: createKeyResource(openStores, journal.record),
    changes: changeRecorder(journal.record),
    async signIn(credential, request) {
      try {
        const known = await authenticate(credential)
        noteSignIn(known, request)
        return known.principal
      } catch (error) {
        if (error instanceof AppError && error.code === 'unauthorized') {
          const reason = String(error.context['reason'])
          const audited = { action: 'credential.refused', target: reason, status: error.status }
          repeats.record(JSON.stringify([reason, request.remote_address]), eventOf(UNKNOWN, audited, request))
        }
        throw error
      }
    },
    record(principal, audited, request) {
      if (!settings.enabled) return
      const event = eventOf(principal, audited, request)
      // A signed-in caller without the scope can retry without limit, and so can anyone who has a link. So repeats are collapsed.
      if (COLLAPSED.includes(audited.action)) repeats.record(JSON.stringify([principal.id, audited.action, request.path]), event)
      else journal.record(event)
    },
    audit: (params = {}) => auditPage(openStores, params),
    findings: () => authFindings(settings, openStores, issuer),
    flush: journal.flush,
    async close() {
      repeats.close()
      await journal.close()
    },
  }
}

const COLLAPSED: readonly string[] = ['scope.refused', 'link.open']

const issuerProgram = onDemand(() => import('./issuer.ts'))

async function openIssuer(name: string, options: IssuerOptions): Promise<Issuer> {
  const { createIssuer } = await issuerProgram()
  return createIssuer(name, options)
}

const UNKNOWN: Pick<Principal, 'id' | 'kind'> & { readonly name?: string; readonly email?: string } = {
  id: 'unknown',
  kind: 'anonymous',
}

function eventOf(
  { id, kind, name, email }: typeof UNKNOWN | Principal,
  audited: AuditedAction,
  request: RequestOrigin,
): AuditEvent {
  const { status } = audited
  const outcome = status === null || status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed'
  return { at: instantNow(), actor: { id, kind, name: name ?? email ?? null }, ...request, ...audited, outcome, count: 1 }
}
