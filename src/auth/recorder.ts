import { AppError } from '../core/errors.ts'
import type { Actor, AuditEvent } from '../ports/auth-store.ts'
import { instantNow } from './deps.ts'

/** The actor of a change, and the request that causes it. */
export interface Initiator {
  readonly actor: Actor
  readonly request?: Pick<AuditEvent, 'path' | 'remote_address' | 'request_id'> | undefined
}

/** Records changes that requests and the command line can make. */
export interface ChangeRecorder {
  /** Records a change that was made, or refused with a status from 400. */
  change(action: string, target: string | null, by: Initiator, status: number): void
  /** Records the refusal of `work`, unless a request causes it: the facade records those, because some never reach the change. */
  refusal<T>(action: string, target: string | null, by: Initiator, work: Promise<T>): Promise<T>
}

/** `record` is called with every change. */
export function changeRecorder(record: (event: AuditEvent) => void): ChangeRecorder {
  const change: ChangeRecorder['change'] = (action, target, { actor, request }, status) => {
    const { path = null, remote_address = null, request_id = null } = request ?? {}
    const outcome = status < 400 ? 'ok' : 'refused'
    const done = { outcome, status: request === undefined ? null : status, count: 1 } as const
    record({ at: instantNow(), actor, action, path, target, remote_address, request_id, ...done })
  }
  return {
    change,
    async refusal(action, target, by, work) {
      try {
        return await work
      } catch (error) {
        const isRefusal = error instanceof AppError && error.status < 500
        if (isRefusal && by.request === undefined) change(action, target, by, error.status)
        throw error
      }
    },
  }
}
