import { ANONYMOUS, NOBODY, type Scope } from '../../../core/auth.ts'
import { AppError } from '../../../core/errors.ts'
import type { Engine, RequestOrigin } from '../../../engine/engine.ts'
import type { Middleware, RequestContext } from '../environment.ts'
import { type AccessTable, type Operation, operationOf } from './access.ts'

/**
 * Authenticates and authorizes a request before it is read or validated, and writes the audit log. Without authentication, it admits
 * everybody and records nothing. AppError `unauthorized`, `forbidden`, `connector_unavailable`.
 *
 *     needs a credential ──▶ signIn ──▶ scope granted? ──▶ handler ──▶ audit log
 *           │ public            │ unauthorized   │ forbidden (recorded)
 *           └─▶ recognise, if a scope shows more, ─▶ handler ─▶ audit log
 */
export function guard({ auth }: Pick<Engine, 'auth'>, table: AccessTable): Middleware {
  if (!auth.isEnabled) {
    return async (context, next) => {
      context.set('principal', ANONYMOUS)
      await next()
    }
  }
  return async (context, next) => {
    const operation = operationOf(context, table)
    context.set('principal', NOBODY)
    if (needsCredential(context, operation)) await letIn(context, operation)
    else if (operation?.access.more !== undefined) await recognise(context, operation)
    await next()
    if (operation !== undefined) remember(context, operation)
  }

  async function letIn(context: RequestContext, operation: Operation | undefined): Promise<void> {
    const asking = requestOriginOf(context, operation?.name ?? null)
    const principal = await auth.signIn(credentialOf(context), asking)
    context.set('principal', principal)
    const needs = operation?.access.needs
    if (needs === undefined || needs === 'public' || needs === 'signed_in' || principal.scopes.includes(needs)) return
    auth.record(principal, { action: 'scope.refused', target: needs, status: 403 }, asking)
    throw scopeMissing(needs)
  }

  async function recognise(context: RequestContext, operation: Operation): Promise<void> {
    const credential = credentialOf(context)
    if (credential === undefined) return
    try {
      context.set('principal', await auth.signIn(credential, requestOriginOf(context, operation.name)))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }

  function remember(context: RequestContext, operation: Operation): void {
    const { status } = context.res
    const action = actionOf(context, operation)
    // A refused read is not recorded, because it disclosed nothing. A refused public operation is not recorded, because anybody
    // can try it.
    const isRelevant = status < 400 || (!isReading(context) && operation.access.needs !== 'public')
    if (action === undefined || !isRelevant || (operation.access.isRecorded === true && status < 400)) return
    auth.record(context.get('principal'), { action, target: targetOf(context), status }, requestOriginOf(context, operation.name))
  }
}

/** The credential lacks a scope. */
export function scopeMissing(required_scope: Scope, detail?: string, context: Record<string, unknown> = {}): AppError {
  const sentence = detail ?? `This needs a credential with the scope ${required_scope}.`
  return new AppError('forbidden', sentence, { context: { reason: 'missing_scope', required_scope, ...context } })
}

// Below `/api`, unknown paths need a credential too. Otherwise anybody could find out which paths exist.
function needsCredential(context: RequestContext, operation: Operation | undefined): boolean {
  return operation === undefined ? /^\/api(\/|$)/.test(context.req.path) : operation.access.needs !== 'public'
}

const FILES = /^(text\/csv|application\/vnd\.openxmlformats)/

function actionOf(context: RequestContext, { access }: Operation): string | undefined {
  // A downloaded file is an export.
  if (isReading(context) && FILES.test(context.res.headers.get('content-type') ?? '')) return 'export'
  return access.action ?? (context.get('discloses') === true ? 'personal.read' : undefined)
}

// A query can also be sent as a POST body.
function isReading(context: RequestContext): boolean {
  return ['GET', 'HEAD'].includes(context.req.method) || context.get('discloses') !== undefined
}

function targetOf(context: RequestContext): string | null {
  const made = context.get('made')
  const values = Object.values(context.req.param() as Readonly<Record<string, string>>)
  return made ?? (values.length === 0 ? null : values.join('/'))
}

const BEARER = /^bearer +([^\s]+) *$/i

/** The credential of a request; undefined without one. Only the header `authorization` is read: URLs are logged, and foreign pages can send cookies. */
export function credentialOf(context: RequestContext): string | undefined {
  const header = context.req.header('authorization')
  if (header === undefined) return undefined
  // A header that cannot be parsed counts as an unknown credential.
  return BEARER.exec(header)?.[1] ?? ''
}

/** The request for the audit log. `path` is the path of the operation, without path values. */
export function requestOriginOf(context: RequestContext, path: string | null): RequestOrigin {
  return {
    path,
    // The address of the connection. Behind a proxy, this is the address of the proxy. A header is not used, because clients can
    // forge it.
    remote_address: context.env?.incoming?.socket.remoteAddress ?? null,
    request_id: context.get('request_id'),
  }
}
