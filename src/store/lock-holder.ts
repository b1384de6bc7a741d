import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as z from 'zod'

const holderSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** Start of the process in clock ticks since boot, which tells two processes of the same id apart; null where unknown. */
  started: z.string().nullable(),
  /** Distinguishes one taking of the lock from every other. */
  nonce: z.string().regex(/^[0-9a-f-]{36}$/),
})

/** Who holds a lock. */
export type LockHolder = z.infer<typeof holderSchema>

/** This process, about to take a lock. */
export function thisHolder(): LockHolder {
  return { pid: process.pid, host: hostname(), started: processState(process.pid)?.started ?? null, nonce: randomUUID() }
}

/** Holder from the text of a lock file; null for a file that is none of ours. */
export function parseHolder(text: string): LockHolder | null {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** False only when it is certain that the process is gone: one on another machine or in another container counts as running. */
export function isRunning(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return true
  if (!processExists(holder.pid)) return false
  const state = processState(holder.pid)
  if (state === null) return true
  return state.alive && (holder.started === null || state.started === holder.started)
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

// Linux only: field 3 is the state, field 22 the start; the name in field 2 may itself hold blanks and parentheses.
function processState(pid: number): { alive: boolean; started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const started = fields[19]
    return started === undefined ? null : { alive: !['Z', 'X'].includes(fields[0] ?? ''), started }
  } catch {
    return null
  }
}
