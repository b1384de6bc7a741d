import { ANONYMOUS, NOBODY, type Scope } from '../../../core/auth.ts'
import { AppError } from '../../../core/errors.ts'
import type { Engine, RequestOrigin } from '../../../engine/engine.ts'
import type { Middleware, RequestContext } from '../environment.ts'
import { type AccessTable, type Operation, operationOf } from './access.ts'

/**
 * Lets in who may ask, before anything of the request is judged or read, and records what is to be remembered of it. Where nobody signs in
 * everybody is let in, and nothing is recorded. AppError `unauthorized`, `forbidden`, `connector_unavailable`.
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
    // A reading that was refused has told nothing; anybody may try what is public.
    const isTold = status < 400 || (!isReading(context) && operation.access.needs !== 'public')
    if (action === undefined || !isTold || (operation.access.isRecorded === true && status < 400)) return
    auth.record(context.get('principal'), { action, target: targetOf(context), status }, requestOriginOf(context, operation.name))
  }
}

/** The credential lacks a scope. */
export function scopeMissing(required_scope: Scope, detail?: string, context: Record<string, unknown> = {}): AppError {
  const sentence = detail ?? `This needs a credential with the scope ${required_scope}.`
  return new AppError('forbidden', sentence, { context: { reason: 'missing_scope', required_scope, ...context } })
}

// Below `/api` not even what does not exist is told to those who have none.
function needsCredential(context: RequestContext, operation: Operation | undefined): boolean {
  return operation === undefined ? /^\/api(\/|$)/.test(context.req.path) : operation.access.needs !== 'public'
}

const FILES = /^(text\/csv|application\/vnd\.openxmlformats)/

function actionOf(context: RequestContext, { access }: Operation): string | undefined {
  // Whoever takes a file takes it away.
  if (isReading(context) && FILES.test(context.res.headers.get('content-type') ?? '')) return 'export'
  return access.action ?? (context.get('discloses') === true ? 'personal.read' : undefined)
}

// A question may be sent as a body too.
function isReading(context: RequestContext): boolean {
  return ['GET', 'HEAD'].includes(context.req.method) || context.get('discloses') !== undefined
}

function targetOf(context: RequestContext): string | null {
  const made = context.get('made')
  const values = Object.values(context.req.param() as Readonly<Record<string, string>>)
  return made ?? (values.length === 0 ? null : values.join('/'))
}

const BEARER = /^bearer +([^\s]+) *$/i

/** The credential of a request, from its header `authorization` and nowhere else: addresses are logged, cookies sent by foreign pages. */
function credentialOf(context: RequestContext): string | undefined {
  const header = context.req.header('authorization')
  if (header === undefined) return undefined
  // What is there and cannot be read is no credential that anybody knows.
  return BEARER.exec(header)?.[1] ?? ''
}

/** The request as the audit log tells it; `path` is that of the operation, without the values in it. */
export function requestOriginOf(context: RequestContext, path: string | null): RequestOrigin {
  return {
    path,
    // Of the connection, so behind a proxy the proxy's: whoever asks can write what they like into a header.
    remote_address: context.env?.incoming?.socket.remoteAddress ?? null,
    request_id: context.get('request_id'),
  }
}
