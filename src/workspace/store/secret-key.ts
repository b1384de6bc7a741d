import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, InternalError } from '../../core/errors.ts'
import { makeStoreDirectory } from './open/private-files.ts'

const BYTES = 32

/** The source of the key that seals secrets. */
export interface KeySource {
  /** The key. Undefined if there is none yet. */
  present(): Promise<Uint8Array | undefined>
  /** The key. Creates it if there is none yet. AppError `unsupported_by_connector` with the reason if it cannot be created. */
  wanted(): Promise<Uint8Array>
}

/** A configured key, 32 bytes in base64. */
export function givenKey(text: string): KeySource {
  const key = decoded(text)
  return { present: async () => key, wanted: async () => key }
}

/** The key of an embedded store: a file that only its owner can read. If several processes create it at once, the first wins. */
export function keyFile(path: string): KeySource {
  const present = async () => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw unusable(path, error)
    })
    return text === undefined ? undefined : decoded(text)
  }
  return {
    present,
    async wanted() {
      const known = await present()
      if (known !== undefined) return known
      await create(path)
      const made = await present()
      if (made === undefined) throw new InternalError('the key file is gone again')
      return made
    },
  }
}

/** No key. Several machines may use a server store, so none of them can create a key for all. */
export function noKey(): KeySource {
  return {
    present: async () => undefined,
    wanted: async () => {
      const detail =
        'Secrets need a key that seals them: set store.secret_key to 32 random bytes in base64 (openssl rand -base64 32).'
      throw new AppError('unsupported_by_connector', detail, { context: { missing: ['store.secret_key'] } })
    },
  }
}

// Links a complete file, which is atomic, so that no process reads half a key.
async function create(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  try {
    await makeStoreDirectory(dirname(path))
    await writeFile(draft, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw unusable(path, error)
  } finally {
    await rm(draft, { force: true })
  }
}

function decoded(text: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== BYTES) throw new AppError('connector_unavailable', 'The key of the store is not 32 bytes in base64.')
  return key
}

function unusable(path: string, cause: unknown): AppError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  return new AppError('connector_unavailable', `The key file ${path} cannot be used (${code}).`, { cause })
}
