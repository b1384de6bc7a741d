import { execFile, execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const DEADLINE_MS = 90_000

/** Servers that a test starts from their programs, as another user where the test runs as root, which they refuse. */
export interface Workshop {
  /** A folder of the servers' own. */
  readonly folder: string
  /** Runs a program to its end. */
  run(program: string, args: readonly string[]): Promise<void>
  /** Starts a server; resolves once `answers` does not reject. */
  start(program: string, args: readonly string[], answers: () => Promise<unknown>): Promise<RunningServer>
  /** Ends what runs and removes the folder. */
  close(): Promise<void>
}

export interface RunningServer {
  /** Ends the server by `signal`, after which it is gone. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Opens a workshop whose programs run as `user`. */
export async function openWorkshop(user: string): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-servers-'))
  const identity = process.getuid?.() === 0 ? { uid: idOf(user, '-u'), gid: idOf(user, '-g') } : {}
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid)
  const options = { cwd: folder, env: { HOME: folder, PATH: '/usr/bin:/bin:/usr/sbin', LC_ALL: 'C', TZ: 'UTC' }, ...identity }
  const running = new Set<RunningServer>()

  return {
    folder,
    async run(program, args) {
      await promisify(execFile)(program, [...args], options)
    },
    async start(program, args, answers) {
      const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)))
      // A run that is ended from outside never comes to close.
      const abandon = () => {
        child.kill('SIGQUIT')
        rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
      }
      process.once('exit', abandon)
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
      const server: RunningServer = {
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
        if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
        await answers()
      })
      return server
    },
    async close() {
      await Promise.all([...running].map((server) => server.stop('SIGQUIT')))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Calls `attempt` until it does not reject, and returns its result. Throws its last error after a generous deadline. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS
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
