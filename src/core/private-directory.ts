import type { Stats } from 'node:fs'
import { chmod, lstat } from 'node:fs/promises'
import { makeDirectory } from './make-directory.ts'

/** Permissions of everybody except the owner, and those of them that write. */
const [OTHERS, OTHERS_WRITE] = [0o077, 0o022]

/** The state of a directory that only this user may enter. */
export interface PrivateDirectory {
  /** Why the directory cannot be used, as the end of a sentence. Absent if it can. */
  readonly problem?: string
  /** True if other users could write into it until now. Its contents may be theirs. */
  readonly wasWritable: boolean
}

/** Creates a directory that only its owner can enter, or closes it to others if it is already there. Never rejects. */
export async function makePrivateDirectory(path: string): Promise<PrivateDirectory> {
  try {
    await makeDirectory(path, 0o700)
    const found = await lstat(path)
    const problem = found.isDirectory() ? ownershipProblem(path, found.uid) : `${path} is no directory`
    if (problem !== undefined) return { problem, wasWritable: true }
    // An orchestrator gives its group rights on every file of a volume, each time that it mounts the volume.
    if (isOpen(found.mode)) await chmod(path, 0o700)
    return { wasWritable: isForeign(found) }
  } catch (error) {
    return { problem: `${path} cannot be used (${codeOf(error)})`, wasWritable: true }
  }
}

/**
 * Why another process of this user may not be the only one that can reach a directory, a file or a socket. Undefined if only this user
 * can. A symbolic link is a problem, because another user could have made it.
 */
export async function privacyProblem(path: string): Promise<string | undefined> {
  try {
    const { uid, mode, isLink } = await lstat(path).then((found) => ({
      uid: found.uid,
      mode: found.mode,
      isLink: found.isSymbolicLink(),
    }))
    if (isLink) return `${path} is a symbolic link`
    return ownershipProblem(path, uid) ?? (isOpen(mode) ? `${path} is open to other users` : undefined)
  } catch (error) {
    return `${path} cannot be used (${codeOf(error)})`
  }
}

function ownershipProblem(path: string, uid: number): string | undefined {
  const own = process.getuid?.()
  return own === undefined || uid === own ? undefined : `${path} belongs to another user`
}

/** True if another user owns or may write a file or directory. */
export function isForeign({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  return ownershipProblem('', uid) !== undefined || isOpen(mode & OTHERS_WRITE)
}

// Windows has no such permissions, so Node reports everything as open to all.
function isOpen(mode: number): boolean {
  return process.platform !== 'win32' && (mode & OTHERS) !== 0
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
