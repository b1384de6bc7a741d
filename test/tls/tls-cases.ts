import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { type ListeningProxy, startListeningProxy } from '../support/databases/proxies.ts'
import type { Certificate } from '../support/databases/tls/private-authority.ts'
import { PASSWORD, type TlsServer } from '../support/databases/tls/tls-postgres.ts'

/** Parameters of an address. */
export type Words = Readonly<Record<string, string>>

/** Whether a connection is encrypted, or the reason for a failure, as an operator reads it. */
export type Outcome = 'encrypted' | 'clear' | string

/** A server of the tests, started before them, with its certificate and the authorities that clients may name. */
export interface RunningServer {
  readonly server: TlsServer
  readonly port: number
  /** The certificate that the server shows at first. */
  readonly right: Certificate
  /** The file of the authority that signed it. */
  readonly root: string
  /** The file of an authority that did not. */
  readonly wrong: string
  /** Closes something at the end of the test. */
  closeLater(close: () => Promise<unknown>): void
  /** A listening proxy to the server, closed at the end of the test. */
  listen(change?: (chunk: Buffer, index: number) => Buffer): Promise<ListeningProxy>
}

/** Starts a server before the tests of a group. The fields are set when the tests run. */
export function runningServer(start: (() => Promise<TlsServer>) | undefined): RunningServer {
  const closing: (() => Promise<unknown>)[] = []
  const closeLater = (close: () => Promise<unknown>) => void closing.push(close)
  const running = {
    closeLater,
    async listen(change?: (chunk: Buffer, index: number) => Buffer) {
      const proxy = await startListeningProxy(running.port, change)
      closeLater(proxy.close)
      return proxy
    },
  } as RunningServer
  beforeAll(async () => {
    if (start === undefined) return
    const server = await start()
    const right = await server.authority.sign('localhost', { hosts: ['localhost'] })
    Object.assign(running, { server, port: server.port, right, root: server.authority.root, wrong: server.stranger.root })
  }, 180_000)
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  afterAll(() => running.server?.close())
  return running
}

/** The address of a user with parameters, at a host that leads to this machine. */
export function addressOf(
  scheme: 'postgres' | 'mysql',
  port: number,
  user: string,
  words: Words,
  { host = 'localhost', database }: { readonly host?: string; readonly database: string },
): string {
  const query = new URLSearchParams(words).toString().replaceAll('+', '%20')
  return `${scheme}://${user}:${encodeURIComponent(PASSWORD)}@${host}:${port}/${database}?${query}`
}

/** Asks what was opened and closes it. Failures to connect become the text that an operator reads. */
export async function outcomeOf<T extends { close(): Promise<void> }>(
  opened: T,
  ask: (opened: T) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await ask(opened)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('connector_unavailable')
    return error.operatorDetail
  } finally {
    await opened.close()
  }
}

/** Opens a store at an address and asks about it. */
export function openStore(url: string, ask: () => Promise<Outcome>): Promise<Outcome> {
  return outcomeOf(createStore({ url, schema: 'plumbline', baseDirectory: '/' }), async (store) => {
    await store.open()
    return await ask()
  })
}

/** Leaves a statement that sleeps, and expects the caller to be free at once. */
export async function leaveSleeping(executor: Executor, text: string, afterMs: number): Promise<void> {
  const leaving = new AbortController()
  const asked = executor.withSnapshot(
    async (snapshot) => {
      setTimeout(() => leaving.abort(new Error('left')), afterMs)
      await snapshot.query({ text, values: [], label: 'sleep' })
    },
    { signal: leaving.signal },
  )
  await expect(asked).rejects.toThrow('left')
}

/** None of these words passed in the clear. */
export function expectNotHeard(heard: Buffer, words: readonly string[]): void {
  for (const word of [...words, PASSWORD]) expect(heard.includes(word), word).toBe(false)
}
