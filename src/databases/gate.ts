import { createGate as createGateOf, type Gate, type GateLimits } from '../core/gate.ts'
import { databaseClosed, queueFull, waitedTooLong } from './failures.ts'

/** A gate in front of a database. AppError `overloaded` if the queue is full or the wait too long, `connector_unavailable` once it is closed. */
export function createGate(limits: GateLimits): Gate {
  return createGateOf({ ...limits, addsWaits: true }, (refusal, { size, waiting }) => {
    if (refusal === 'full') return queueFull(size, waiting)
    return refusal === 'late' ? waitedTooLong(limits.queueMs) : databaseClosed()
  })
}
