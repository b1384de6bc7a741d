import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** A directory for files that are not needed after the process ends. */
interface TemporaryDirectory {
  readonly path: string
  /** Removes it with everything in it. */
  remove(): Promise<void>
}

/** Name prefixes of directories: uploads, caches, copies of the sample data, copies of a first version's store, and sockets. */
export const UPLOADS = 'plumbline-upload-'
export const CACHES = 'plumbline-cache-'
export const SAMPLES = 'plumbline-demo-'
export const EARLIER_STORES = 'plumbline-earlier-'
export const SOCKETS = 'plumbline-socket-'

const MARK = 'alive.'
// The kernel takes at most 107 bytes for the address of a socket.
const LONGEST_ADDRESS = 100
const BEAT_MS = 3_600_000
const SILENT_MS = 24 * BEAT_MS

/**
 * Creates a directory that nobody else can read. The process listens on a socket inside it. The kernel closes the socket when the process ends,
 * however it ends. Every process that shares the directory can see this, also from other containers, where process ids have no meaning.
 */
export async function makeTemporaryDirectory(parent: string, prefix: string): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(parent, prefix))
  const stopListening = await listenIn(path)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      stopListening()
    },
  }
}

/**
 * Removes the directories with this prefix whose process has ended. A directory without a mark is left alone, because its state is unknown. A
 * directory with a mark of another kernel (before a restart, or on another machine) is removed if the mark is older than a day.
 */
export async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  await Promise.all(
    names
      .filter((name) => name.startsWith(prefix))
      .map(async (name) => {
        const path = join(parent, name)
        if (await isAbandoned(path)) await rm(path, { recursive: true, force: true }).catch(() => {})
      }),
  )
}

async function isAbandoned(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => [])
  const mark = names.find((name) => name.startsWith(MARK))
  if (mark === undefined) return false
  if (mark === `${MARK}${kernel()}`) return !(await answers(join(path, mark)))
  const renewed = await stat(join(path, mark)).catch(() => undefined)
  return renewed !== undefined && Date.now() - renewed.mtimeMs > SILENT_MS
}

/** Listens in the directory, if the system supports it. Returns a function that stops listening. */
async function listenIn(path: string): Promise<() => void> {
  const address = join(path, 'opening')
  const mark = join(path, `${MARK}${kernel()}`)
  if (Buffer.byteLength(mark) > LONGEST_ADDRESS) return () => {}
  const server = createServer((socket) => socket.destroy())
  if (!(await isListening(server, address))) return () => {}
  server.on('error', () => {}).unref()
  // The socket gets its final name only when it listens. Under its final name, other processes would take it for the socket of an
  // ended process until it listens.
  await rename(address, mark)
  const beat = setInterval(() => {
    const now = new Date()
    void utimes(mark, now, now).catch(() => {})
  }, BEAT_MS)
  beat.unref()
  return () => {
    clearInterval(beat)
    server.close()
  }
}

function isListening(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(address, () => resolve(true))
  })
}

// Only ECONNREFUSED means that nobody listens: the kernel accepts connections for a busy or stopped process.
function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => resolve(!('code' in error && error.code === 'ECONNREFUSED')))
  })
}

/** Name of the running kernel, which all containers of a machine share. Empty if the system has none. */
function kernel(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  } catch {
    return ''
  }
}
