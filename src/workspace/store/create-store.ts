import { once } from '../../core/async.ts'
import { AppError } from '../../core/errors.ts'
import { createGate } from '../../core/gate.ts'
import { onDemand } from '../../core/on-demand.ts'
import type { Store } from '../../ports/store.ts'
import {
  type Access,
  type Database,
  inTransaction,
  readFingerprint,
  readIdentity,
  readVersion,
  WRITE_WAIT_MS,
} from './database.ts'
import { createFxRates } from './fx-rates.ts'
import { filesOpenToOthers } from './open/private-files.ts'
import { isLost, openError, statementError, storeTaken } from './open/store-error.ts'
import { type StoreOptions, type StoreTarget, storeTarget } from './open/store-target.ts'
import { createSecretBox } from './secret-box.ts'
import { givenKey, type KeySource, keyFile, noKey } from './secret-key.ts'
import { readSnapshot } from './snapshot.ts'
import { createWorkspaces } from './workspaces.ts'

type OpenTarget = Exclude<StoreTarget, { kind: 'none' }>

/**
 * The side schema at `options.url`. It opens when it is first needed. Every method rejects with AppError `connector_unavailable` if the
 * store cannot be reached, and with `unsupported_by_connector` if it is switched off (`none`).
 */
export function createStore(options: StoreOptions): Store {
  const target = storeTarget(options)
  const { access, close } = target.kind === 'none' ? SWITCHED_OFF : openOnce(target, options)
  return {
    enabled: target.kind !== 'none',
    fxRates: createFxRates(access),
    inWorkspace: createWorkspaces(access),
    secrets: createSecretBox(keyOf(target, options)),
    ...colocation(target, options, access),
    ...reading(options, access),
    ...(target.kind === 'embedded' ? { filesOpenToOthers: () => filesOpenToOthers(target.file) } : {}),
    version: () => access.read(readVersion),
    fingerprint: () => access.read(readFingerprint),
    ping: async () => void (await access.read(readVersion)),
    open: () => access.read(async () => {}),
    close,
  }
}

function keyOf(target: StoreTarget, { secretKey }: StoreOptions): KeySource {
  if (secretKey !== undefined) return givenKey(secretKey)
  return target.kind === 'embedded' ? keyFile(`${target.file}.key`) : noKey()
}

function colocation(target: StoreTarget, { colocated }: StoreOptions, access: Access): Pick<Store, 'colocated'> {
  if (colocated !== true || (target.kind !== 'postgres' && target.kind !== 'mysql')) return {}
  return { colocated: { schema: target.schema, identity: () => access.read(readIdentity) } }
}

function reading({ reading: how }: StoreOptions, access: Access): Pick<Store, 'withSnapshot'> {
  return how === undefined ? {} : { withSnapshot: (work, { signal } = {}) => readSnapshot(access, how, work, signal) }
}

interface Lifetime {
  readonly access: Access
  close(): Promise<void>
}

function openOnce(target: OpenTarget, { onNotice }: StoreOptions): Lifetime {
  const open = opening(target, onNotice)
  let opened: Promise<Database> | undefined
  let isClosed = false
  // Writers of this process wait here without a connection, so that enough connections remain for readers.
  const inQueue = createWriteQueue(target.name, WRITE_WAIT_MS)

  const database = (): Promise<Database> => {
    // A check may still run when the process ends. A store that opens again would keep the process alive.
    if (isClosed) return Promise.reject(new AppError('connector_unavailable', `The store ${target.name} is closed.`))
    // Forget a failed opening, so that the next request tries again.
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw openError(target, error)
    })
    return opened
  }
  const run = async <T>(work: (database: Database) => Promise<T>, attempts: number): Promise<T> => {
    return work(await database()).catch((error: unknown) => {
      if (attempts > 1 && isLost(error)) return run(work, attempts - 1)
      throw statementError(target, error)
    })
  }
  const write: Access['write'] = (work) =>
    inQueue(async () => {
      // The server may have cut the connection. A file has no such connection.
      if (target.kind !== 'embedded') await run(readVersion, 2)
      return run(work, 1)
    })
  return {
    access: {
      read: (work) => run(work, 2),
      write,
      writeConcurrently: concurrentWrite(target, run, inQueue),
    },
    close: async () => {
      isClosed = true
      const closing = opened
      opened = undefined
      await (await closing?.catch(() => undefined))?.close()
    },
  }
}

function concurrentWrite(
  { kind }: OpenTarget,
  run: <T>(work: (database: Database) => Promise<T>, attempts: number) => Promise<T>,
  inQueue: ReturnType<typeof createWriteQueue>,
): Access['writeConcurrently'] {
  switch (kind) {
    case 'embedded':
      // A file has one writer at a time. In a queue, no writer has to retry.
      return (work) => inQueue(() => run(work, 1), { isBrief: true })
    case 'postgres':
      return (work) => run((database) => inTransaction(database, (knex) => work({ ...database, knex })), 2)
    case 'mysql':
      return (work) => run(work, 2)
  }
}

// Many answers need no store, and the query builder takes long to load.
const embeddedProgram = once(() => onDemand(() => import('./open/embedded-database.ts')))
const serverProgram = once(() => onDemand(() => import('./open/server-database.ts')))

function opening(target: OpenTarget, onNotice: StoreOptions['onNotice']): () => Promise<Database> {
  if (target.kind === 'embedded') {
    const program = embeddedProgram()
    return async () => (await program()).openEmbeddedDatabase(target.file, onNotice)
  }
  const program = serverProgram()
  return async () => (await program()).openServerDatabase(target)
}

async function refuse(): Promise<never> {
  const detail = 'This needs the side store, which is switched off (store.url is none).'
  throw new AppError('unsupported_by_connector', detail, { context: { missing: ['store'] } })
}

const SWITCHED_OFF: Lifetime = { access: { read: refuse, write: refuse, writeConcurrently: refuse }, close: async () => {} }

/**
 * Runs functions one after the other. A brief function waits for the running function and for at most one long function, even if
 * many long functions wait. AppError `connector_unavailable` for a function that waited too long.
 */
type WriteQueue = <T>(work: () => Promise<T>, options?: { readonly isBrief: boolean }) => Promise<T>

/** Queues the writers to a store. Each writer waits up to `waitMs` for earlier writers. */
function createWriteQueue(name: string, waitMs: number): WriteQueue {
  const one = { size: 1, queueSize: Number.POSITIVE_INFINITY, queueMs: waitMs }
  const refuse = () => storeTaken(name)
  // Long functions first pass `longGate`, so that only one of them at a time is in the queue of the brief functions.
  // Functions of all callers pass `gate` in the order of their arrival. Else a long one could go before a brief one that came earlier.
  const [gate, longGate] = [createGate({ ...one, isOfOneCaller: true }, refuse), createGate(one, refuse)]
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
