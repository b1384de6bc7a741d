import { createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../core/errors.ts'
import { makePrivateDirectory } from '../../core/private-directory.ts'
import type { Origin, VerifyOptions } from '../../engine/engine.ts'
import { piecesOf } from '../presentation/render.ts'
import { type Answering, askEngine } from './calls.ts'
import { type Identity, linesOf, type Reply, requestSchema, sentError } from './messages.ts'
import { listenAt } from './place.ts'

/** Most characters of a question. A question over HTTP has at most a mebibyte. */
const LONGEST_QUESTION = 2 ** 20
/** Most connections at the same time. */
const MOST_CONNECTIONS = 100
const BEAT_MS = 2_000

/** Options of the socket of a service. */
export interface ListenOptions {
  readonly engine: Answering
  /** The directory of the cache, which only its owner can enter. */
  readonly directory: string
  readonly identity: Identity
  /** Why the cache cannot answer now, as the end of a sentence. Undefined if it can. */
  readonly unready: () => string | undefined
  /** Called with errors that are no refusals. */
  readonly onFailure: (error: unknown) => void
}

/** A service that commands on this machine can ask. */
export interface ListeningSocket {
  /** Ends all connections, and removes the socket. The commands then answer their questions themselves. */
  close(): Promise<void>
}

/**
 * Lets commands of the same user on this machine ask the service, so that its cache answers them. A command gets an answer only if it would
 * give the same one itself. Resolves to a sentence if the service cannot listen. Never rejects.
 */
export async function listenForCommands(options: ListenOptions): Promise<ListeningSocket | string> {
  const { problem } = await makePrivateDirectory(options.directory)
  if (problem !== undefined) return `Commands cannot use the cache of this service: ${problem}.`
  const since = new Date().toISOString()
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // A command that ends half-way resets its connection.
    socket.on('error', () => {})
    void serveOne(socket, since, options)
      .catch(options.onFailure)
      .finally(() => socket.destroy())
  })
  server.maxConnections = MOST_CONNECTIONS
  try {
    const place = await listenAt(server, options.directory)
    if (place === undefined) return 'Another service answers the commands of this configuration.'
    server.on('error', options.onFailure)
    return {
      async close() {
        server.close()
        for (const socket of open) socket.destroy()
        await place.remove().catch(options.onFailure)
      },
    }
  } catch (error) {
    server.close()
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return `Commands cannot use the cache of this service: it cannot listen in ${options.directory} (${code}).`
  }
}

async function serveOne(socket: Socket, since: string, options: ListenOptions): Promise<void> {
  const left = new AbortController()
  socket.once('close', () => left.abort(new Error('the command has left')))
  const say = (reply: Reply) => write(socket, `${JSON.stringify(reply)}\n`, left.signal)
  const first = await firstLine(socket)
  if (first === undefined) return
  const { data: request } = requestSchema.safeParse(first)
  if (request === undefined) return finish(socket, say({ declined: 'the service does not understand the question' }))
  // The service refuses these itself, because nobody else can do them as long as it runs.
  const isAlways = ['clearCache', 'copyCache'].includes(request.question.call)
  const reason = differenceOf(request.identity, options.identity) ?? (isAlways ? undefined : options.unready())
  if (reason !== undefined) return finish(socket, say({ declined: reason }))
  await say({ accepted: { pid: process.pid, since } })
  const beats = new AbortController()
  void beat(say, beats.signal)
  let source: Origin['source'] = 'replica'
  const onOrigin = (origin: Origin) => {
    source = origin.source
  }
  const onProgress: VerifyOptions['onProgress'] = (done, all, check) =>
    void say({ progress: { done, all, check: check?.name } }).catch(() => {})
  try {
    const { data, ...answer } = await askEngine(options.engine, request.question, { signal: left.signal, onOrigin, onProgress })
    beats.abort()
    await say({ answer, source })
    for await (const piece of piecesOf({ ...answer, data }, 'json')) await write(socket, piece, left.signal)
    await write(socket, '\n', left.signal)
    await finish(socket, say({ end: true }))
  } catch (error) {
    beats.abort()
    if (left.signal.aborted) return
    await finish(socket, say(failureOf(error, options)))
  }
}

// A command repeats a question that has failed here. It may have more patience, or another way to the database.
function failureOf(error: unknown, { onFailure }: ListenOptions): Reply {
  if (error instanceof AppError) {
    return error.status < 500 ? { refused: sentError(error) } : { declined: `the service could not answer (${error.code})` }
  }
  onFailure(error)
  return { declined: 'the service failed' }
}

/** The first difference between a command and the service, as the end of a sentence. */
function differenceOf(command: Identity, service: Identity): string | undefined {
  const names = new Set([...Object.keys(command), ...Object.keys(service)])
  const different = [...names].filter((name) => command[name] !== service[name])
  return different.length === 0 ? undefined : `the service has another ${different.join(', ')}`
}

async function firstLine(socket: Socket): Promise<unknown> {
  for await (const line of linesOf(socket, LONGEST_QUESTION)) {
    // Only a socket that is read notices that the command leaves.
    socket.resume()
    return readJson(line)
  }
  return undefined
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

async function beat(say: (reply: Reply) => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await setTimeout(BEAT_MS, undefined, { ref: false })
    if (!signal.aborted) await say({ waiting: true }).catch(() => {})
  }
}

/** Writes text, and waits while the command reads more slowly than it is written. */
async function write(socket: Socket, text: string, left: AbortSignal): Promise<void> {
  left.throwIfAborted()
  if (socket.write(text)) return
  await new Promise<void>((resolve, reject) => {
    const leave = () => reject(left.reason)
    left.addEventListener('abort', leave, { once: true })
    socket.once('drain', () => {
      left.removeEventListener('abort', leave)
      resolve()
    })
  })
}

async function finish(socket: Socket, written: Promise<void>): Promise<void> {
  await written
  await new Promise<void>((resolve) => socket.end(resolve))
}
