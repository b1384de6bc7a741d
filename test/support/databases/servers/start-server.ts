import { execFile, execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const DEADLINE_MS = 90_000

/** How a server starts and ends. */
export interface ServerHabits {
  /** The signal that ends it at once. */
  readonly end: NodeJS.Signals
  /** The time in which it starts, milliseconds. */
  readonly deadlineMs: number
}

const USUAL: ServerHabits = { end: 'SIGQUIT', deadlineMs: DEADLINE_MS }

/** Servers that a test starts from their programs, as another user where the test runs as root, which they refuse. */
export interface Workshop {
  /** A folder of the servers' own. */
  readonly folder: string
  /** Runs a program to its end. */
  run(program: string, args: readonly string[]): Promise<void>
  /** Starts a server; resolves once `answers` does not reject. */
  start(program: string, args: readonly string[], answers: () => Promise<unknown>, habits?: ServerHabits): Promise<RunningServer>
  /** Ends what runs and removes the folder. */
  close(): Promise<void>
}

export interface RunningServer {
  /** Ends the server by `signal`, after which it is gone. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Opens a workshop whose programs run as `user`, or else as the user of the test. */
export async function openWorkshop(user?: string): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-servers-'))
  const identity = user !== undefined && process.getuid?.() === 0 ? { uid: idOf(user, '-u'), gid: idOf(user, '-g') } : {}
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid)
  const options = { cwd: folder, env: { HOME: folder, PATH: '/usr/bin:/bin:/usr/sbin', LC_ALL: 'C', TZ: 'UTC' }, ...identity }
  const running = new Set<RunningServer & { readonly end: NodeJS.Signals }>()

  return {
    folder,
    async run(program, args) {
      await promisify(execFile)(program, [...args], options)
    },
    async start(program, args, answers, { end, deadlineMs } = USUAL) {
      const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)))
      // A run that is ended from outside never comes to close.
      const abandon = () => {
        child.kill(end)
        rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
      }
      process.once('exit', abandon)
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
      const server: RunningServer & { readonly end: NodeJS.Signals } = {
        end,
        async stop(signal) {
          const impatient = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
          child.kill(signal)
          await ended
          clearTimeout(impatient)
          process.off('exit', abandon)
          running.delete(server)
        },
      }
      running.add(server)
      await eventually(async () => {
        if (child.exitCode === null) await answers()
      }, deadlineMs)
      if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
      return server
    },
    async close() {
      await Promise.all([...running].map((server) => server.stop(server.end)))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Calls `attempt` until it does not reject, and returns its result. Throws its last error after a generous deadline. */
export async function eventually<T>(attempt: () => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

function idOf(user: string, flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, user]).toString())
}
