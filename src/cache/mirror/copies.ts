import { AppError } from '../../core/errors.ts'
import type { CacheCopy, ReadThrough } from '../../ports/read-through.ts'
import { type FillingOptions, type Mirror, restoreMirror } from './mirror.ts'

interface Copied {
  /** The mirror that answers. */
  newest(): Mirror | undefined
}

/**
 * Makes copies of the mirror that answers. In a process that is no service and has none, it makes them of the one on disk. One copy is made at a time,
 * because each takes the room of a mirror.
 */
export function createCopies(options: Omit<FillingOptions, 'onProgress'>, { newest }: Copied): ReadThrough['copy'] {
  let isCopying = false

  const copyOf = async ({ tables, accounts }: Mirror, directory: string, signal?: AbortSignal): Promise<CacheCopy> => ({
    ...(await options.files.copy(tables.database, directory, signal)),
    accounts,
  })
  const copyStored = async (directory: string, signal?: AbortSignal): Promise<CacheCopy> => {
    const stored = await restoreMirror({ ...options, onProgress: () => {} })
    if (typeof stored === 'string') throw refused(stored)
    try {
      return await copyOf(stored, directory, signal)
    } finally {
      await stored.tables.database.close()
    }
  }

  return async (directory, signal) => {
    if (isCopying) throw refused('another copy is being written')
    isCopying = true
    try {
      const held = newest()
      if (held !== undefined) return await copyOf(held, directory, signal)
      if (options.isOwner()) throw refused('the service has no filled cache at the moment')
      return await copyStored(directory, signal)
    } finally {
      isCopying = false
    }
  }
}

/** `why` is the end of a sentence. */
function refused(why: string): AppError {
  return new AppError('conflict', `The cache cannot be copied: ${why}.`)
}
