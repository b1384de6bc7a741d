import { createGate } from '../../core/gate.ts'
import { storeTaken } from './store-error.ts'

/**
 * Runs functions one after the other. Those that are brief wait for the one that runs and at most one that is not, however many of these wait
 * among themselves. AppError `connector_unavailable` for one that waited too long.
 */
export type InTurn = <T>(work: () => Promise<T>, options?: { readonly isBrief: boolean }) => Promise<T>

/** Makes the writers to a store take turns; each waits up to `waitMs` for those before it. */
export function createTurns(name: string, waitMs: number): InTurn {
  const one = { size: 1, queueSize: Number.POSITIVE_INFINITY, queueMs: waitMs }
  const refuse = () => storeTaken(name)
  // Only one of those that take long stands in the queue of the brief ones.
  const [gate, longGate] = [createGate(one, refuse), createGate(one, refuse)]
  const enter = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await gate.enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return async (work, { isBrief } = { isBrief: false }) => {
    if (isBrief) return enter(work)
    const leave = await longGate.enter()
    try {
      return await enter(work)
    } finally {
      leave()
    }
  }
}
