import { AppError } from '../../core/errors.ts'
import { createGate, type Gate } from '../../core/gate.ts'
import { type LargePlace, PlaceNeeded } from '../../engine/engine.ts'

/** Large answers of one principal at a time, and how many of theirs may wait how long. */
const LIMITS = { size: 2, queueSize: 8, queueMs: 60_000 }

/** A place that is given back once the answer has been sent. */
export interface HeldPlace extends LargePlace {
  /** The body that is sent with the place, which is given back when the last of it has gone, or nobody takes it any more. */
  sending(stream: (onEnd: () => void) => ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** The request has been answered: gives the place back, unless a body is being sent with it. */
  answered(): void
}

/** The places of all principals. */
export interface LargeAnswers {
  /** A place for one request, not yet taken; `signal` ends the wait for it. */
  placeOf(principal: string, signal?: AbortSignal): HeldPlace
}

/** Nobody has a place yet. */
export function createLargeAnswers(limits = LIMITS): LargeAnswers {
  const gates = new Map<string, Gate>()
  const gateOf = (principal: string): Gate => {
    const gate = gates.get(principal) ?? createGate(limits, () => new PlaceNeeded())
    gates.set(principal, gate)
    return gate
  }
  const forget = (principal: string) => {
    const { running, waiting } = gates.get(principal)?.load() ?? { running: 1, waiting: 0 }
    if (running + waiting === 0) gates.delete(principal)
  }
  return {
    placeOf(principal, signal) {
      let leaving: Promise<() => void> | undefined
      let isTaken = false
      let isSending = false
      let isLeft = false
      const leave = () => {
        if (isLeft) return
        isLeft = true
        signal?.removeEventListener('abort', leave)
        leaving
          ?.then((giveBack) => giveBack())
          .catch(() => {})
          .finally(() => forget(principal))
      }
      const enter = () => {
        leaving ??= gateOf(principal)
          .enter(signal)
          .finally(() => forget(principal))
        return leaving
      }
      const place: HeldPlace = {
        get isTaken() {
          return isTaken
        },
        take() {
          if (isTaken) return true
          const { running, size } = gateOf(principal).load()
          if (isLeft || running >= size) return false
          // A gate with room lets in at once.
          void enter().catch(() => {})
          isTaken = true
          return true
        },
        async wait() {
          if (isLeft) throw new AppError('overloaded', 'The request has ended.')
          await enter()
          isTaken = true
        },
        sending(stream) {
          isSending = true
          signal?.addEventListener('abort', leave, { once: true })
          return stream(leave)
        },
        answered() {
          if (!isSending) leave()
        },
      }
      return place
    },
  }
}
