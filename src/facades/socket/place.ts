import { randomUUID } from 'node:crypto'
import { chmod, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { privacyProblem } from '../../core/private-directory.ts'
import { makeTemporaryDirectory, removeAbandoned, SOCKETS } from '../../core/temporary-directory.ts'

/** The file in the directory of the cache that names the socket. */
const ADDRESS_FILE = 'service.address'
const SOCKET = 'service.socket'
/** The kernel takes at most 107 bytes for the address of a socket, and 103 on macOS. */
const LONGEST_ADDRESS = 100
const CONNECT_MS = 1_000

/** A place where a service listens. `remove` deletes only what this service has made. */
interface ListeningPlace {
  remove(): Promise<void>
}

/**
 * Listens on a socket and leaves its address in the directory. Both are replaced if the service that made them has ended. Rejects if they
 * cannot be created. Undefined if another service listens there.
 */
export async function listenAt(server: Server, directory: string): Promise<ListeningPlace | undefined> {
  if (await isAlive(directory)) return undefined
  await removeAbandoned(tmpdir(), SOCKETS)
  const short = Buffer.byteLength(join(directory, `${SOCKET}.opening`)) <= LONGEST_ADDRESS
  const temporary = short ? undefined : await makeTemporaryDirectory(tmpdir(), SOCKETS)
  const socket = join(temporary?.path ?? directory, SOCKET)
  try {
    await listenOn(server, `${socket}.opening`)
    await chmod(`${socket}.opening`, 0o600)
    const { ino } = await lstat(`${socket}.opening`)
    // The socket gets its final name only when it listens, and takes the place of one that nobody listens on.
    await rename(`${socket}.opening`, socket)
    await writeAddress(directory, socket)
    return {
      async remove() {
        const found = await lstat(socket).catch(() => undefined)
        if (found?.ino === ino) await rm(socket, { force: true })
        if ((await readAddress(directory)) === socket && found?.ino === ino)
          await rm(join(directory, ADDRESS_FILE), { force: true })
        await temporary?.remove()
      },
    }
  } catch (error) {
    await temporary?.remove()
    throw error
  }
}

/** A connection to the service of a directory, or why there is none, as the end of a sentence. Never rejects. */
export async function connectTo(directory: string): Promise<Socket | string> {
  const address = await readAddress(directory)
  if (address === undefined) return 'no service has a cache for this configuration'
  for (const path of [directory, join(directory, ADDRESS_FILE), dirname(address), address]) {
    const problem = await privacyProblem(path)
    if (problem !== undefined) return problem
  }
  return connected(address).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
    return `the service does not answer at ${address} (${code})`
  })
}

async function isAlive(directory: string): Promise<boolean> {
  const found = await connectTo(directory)
  if (typeof found === 'string') return false
  found.destroy()
  return true
}

async function readAddress(directory: string): Promise<string | undefined> {
  const text = await readFile(join(directory, ADDRESS_FILE), 'utf8').catch(() => '')
  const address = text.trim()
  return isAbsolute(address) ? address : undefined
}

async function writeAddress(directory: string, address: string): Promise<void> {
  const file = join(directory, ADDRESS_FILE)
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${address}\n`, { mode: 0o600, flag: 'wx' })
  await rename(draft, file)
}

async function listenOn(server: Server, path: string): Promise<void> {
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const late = setTimeout(() => socket.destroy(new Error('no answer')), CONNECT_MS)
    socket.once('error', reject)
    socket.once('connect', () => {
      clearTimeout(late)
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('close', () => clearTimeout(late))
  })
}
