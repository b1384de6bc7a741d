import { AppError } from '../core/errors.ts'
import type { Store } from '../engine/ports.ts'
import { createAttributes } from './attributes.ts'
import { type Access, type Database, readIdentity, readVersion } from './database.ts'
import { openEmbeddedDatabase } from './embedded-database.ts'
import { createFxRates } from './fx-rates.ts'
import { createSegments } from './segments.ts'
import { openServerDatabase } from './server-database.ts'
import { isLost, openError, statementError } from './store-error.ts'
import { type StoreOptions, type StoreTarget, storeTarget } from './store-target.ts'

type OpenTarget = Exclude<StoreTarget, { kind: 'none' }>

/**
 * The side schema at `options.url`; nothing is opened before it is first needed. AppError `connector_unavailable` from every
 * method when it cannot be reached, `unsupported_by_connector` when it is switched off (`none`).
 */
export function createStore(options: StoreOptions): Store {
  const target = storeTarget(options)
  const { access, close } = target.kind === 'none' ? SWITCHED_OFF : openOnce(target)
  return {
    enabled: target.kind !== 'none',
    fxRates: createFxRates(access),
    attributes: createAttributes(access),
    segments: createSegments(access),
    ...colocation(target, options, access),
    version: () => access.read(readVersion),
    ping: async () => void (await access.read(readVersion)),
    open: () => access.read(async () => {}),
    close,
  }
}

function colocation(target: StoreTarget, { colocated }: StoreOptions, access: Access): Pick<Store, 'colocated'> {
  if (colocated !== true || (target.kind !== 'postgres' && target.kind !== 'mysql')) return {}
  return { colocated: { schema: target.schema, identity: () => access.read(readIdentity) } }
}

interface Lifetime {
  readonly access: Access
  close(): Promise<void>
}

function openOnce(target: OpenTarget): Lifetime {
  let opening: Promise<Database> | undefined

  const opened = (): Promise<Database> => {
    // A failed opening is forgotten, so that the next request tries again.
    opening ??= open(target).catch((error: unknown) => {
      opening = undefined
      throw openError(target.name, error)
    })
    return opening
  }
  const run = async <T>(work: (database: Database) => Promise<T>, attempts: number): Promise<T> => {
    const database = await opened()
    return work(database).catch((error: unknown) => {
      if (attempts > 1 && isLost(error)) return run(work, attempts - 1)
      throw statementError(target.name, error)
    })
  }
  return {
    access: {
      read: (work) => run(work, 2),
      write: async (work) => {
        await run(readVersion, 2)
        return run(work, 1)
      },
    },
    close: async () => {
      const closing = opening
      opening = undefined
      await (await closing?.catch(() => undefined))?.close()
    },
  }
}

function open(target: OpenTarget): Promise<Database> {
  return target.kind === 'embedded' ? openEmbeddedDatabase(target.directory) : openServerDatabase(target)
}

async function refuse(): Promise<never> {
  const detail = 'This needs the side store, which is switched off (store.url is none).'
  throw new AppError('unsupported_by_connector', detail, { context: { missing: ['store'] } })
}

const SWITCHED_OFF: Lifetime = { access: { read: refuse, write: refuse }, close: async () => {} }
