import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'

/** Clocks of a process, in seconds. */
export interface Clock {
  /** The time of day. It may be set forward and back. */
  readonly wall: () => number
  /** A clock that only runs forward. It begins with the process. */
  readonly running: () => number
  /** Identifies the process to which `running` belongs. */
  readonly process: string
}

/** A reading of the clocks. It is JSON. */
export interface Reading {
  readonly wall: number
  readonly running: number
  readonly process: string
}

/** The clocks of this process. */
export const PROCESS_CLOCK: Clock = {
  wall: () => Date.now() / 1_000,
  running: () => performance.now() / 1_000,
  process: randomUUID(),
}

export function readClock({ wall, running, process }: Clock): Reading {
  return { wall: wall(), running: running(), process }
}

/**
 * Seconds that have surely passed between two readings. A time of day that was set forward does not count while the process runs. If it
 * was set back, less time counts than has passed.
 */
export function secondsBetween(before: Reading, now: Reading): number {
  const byWall = Math.max(0, now.wall - before.wall)
  return before.process === now.process ? Math.min(byWall, Math.max(0, now.running - before.running)) : byWall
}
