import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../core/errors.ts'
import { isRunning, type LockHolder, parseHolder, thisHolder } from './lock-holder.ts'

const RETRY_MS = 100

/** A lock that is held until `release`, or until the process ends in whatever way. */
export interface EmbeddedLock {
  release(): void
}

/** The lock file beside the directory of an embedded store. */
export function lockPath(directory: string): string {
  return `${directory}.lock.pid`
}

/**
 * Makes this process the only one that may open the directory. Waits while a running process holds it, up to `waitMs`, then
 * AppError `connector_unavailable` naming directory, process and remedy. The lock of a process that is gone is taken over.
 */
export async function acquireEmbeddedLock(directory: string, waitMs = 5_000): Promise<EmbeddedLock> {
  const path = lockPath(directory)
  const me = thisHolder()
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    const holder = take(path, me)
    if (holder === me) return heldLock(path, me)
    if (performance.now() >= giveUpAt) throw inUse(directory, path, holder)
    await sleep(RETRY_MS)
  }
}

/**
 * One attempt at the lock: `me` when it is ours now, else who has it, else null when somebody just let go.
 *
 * The lock of a dead process is replaced by whoever holds the *claim* on it: a second lock, named after the one taking that it
 * replaces, got in this same way (so a claimant that dies is replaced too). With the claim in hand, the lock is looked at
 * again: if it still is the dead one, nobody else can touch it, and one rename turns the claim into the lock.
 */
function take(path: string, me: LockHolder): LockHolder | null {
  if (createExclusively(path, me)) return me
  const holder = readHolder(path)
  if (holder === null || isRunning(holder)) return holder
  const claim = `${path}.${holder.nonce}`
  if (take(claim, me) !== me) return holder
  if (readHolder(path)?.nonce === holder.nonce) {
    renameSync(claim, path)
    return me
  }
  unlinkSync(claim)
  return null
}

// Written under a name of its own and then linked: nobody ever sees a lock without its holder.
function createExclusively(path: string, me: LockHolder): boolean {
  const draft = `${path}.${me.nonce}.new`
  writeFileSync(draft, JSON.stringify(me), { flag: 'wx' })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    unlinkSync(draft)
  }
}

function readHolder(path: string): LockHolder | null {
  try {
    const holder = parseHolder(readFileSync(path, 'utf8'))
    if (holder === null) throw unreadable(path)
    return holder
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function heldLock(path: string, me: LockHolder): EmbeddedLock {
  const release = (): void => {
    process.off('exit', release)
    // Somebody may have removed the file by hand; the one that lies there now is then not ours.
    if (readHolder(path)?.nonce === me.nonce) unlinkSync(path)
  }
  process.once('exit', release)
  return { release }
}

function inUse(directory: string, path: string, holder: LockHolder | null): AppError {
  const who = holder === null ? 'other processes in turn' : `process ${holder.pid} on ${holder.host}`
  const remedy = `Stop it, or set store.url to a PostgreSQL or MySQL server. If it surely is gone, remove ${path}.`
  return new AppError('connector_unavailable', `The embedded store ${directory} is in use by ${who}. ${remedy}`)
}

function unreadable(path: string): AppError {
  const remedy = 'If no process uses the store, remove the file.'
  return new AppError('connector_unavailable', `${path} is not a lock file of the embedded store. ${remedy}`)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
