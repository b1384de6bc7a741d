import type { ServiceLog } from './service-log.ts'

/** A stream that a command writes to. The streams of a process satisfy it. */
export interface Output {
  write(content: string | Uint8Array): unknown
  readonly isTTY?: boolean | undefined
  /** True if styles are shown. */
  readonly color?: boolean | undefined
  /** Width of the terminal in characters. */
  readonly columns?: number | undefined
}

/** The streams and signals of a command. Results go to `stdout`, everything else to `stderr`. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  /** Aborted when the user or the system asks the process to end. */
  readonly stop: AbortSignal
  /** Whether a command announces a long wait where there is no terminal, too. */
  readonly tellsWaits?: boolean
  /**
   * Sends to the log what Node.js would print itself: its warnings, and the error that ends the process. Absent if the command runs in a process
   * that is not its own.
   */
  readonly useLog?: (log: ServiceLog) => void
}

type Environment = Readonly<Record<string, string | undefined>>

/** Longest time from a signal to the end of the process, milliseconds. Running requests have 10 s of it. */
const STOP_MS = 15_000
const STUCK = `The process did not end within ${STOP_MS / 1_000} s, so it stops without waiting any longer.`

/**
 * The streams and signals of this process. A closed pipe, such as after `| head`, ends the process quietly. After SIGINT or SIGTERM the process ends
 * within STOP_MS, even if it waits for a disk or a database that does not answer.
 */
export function processIo(environment: Environment): Io {
  const controller = new AbortController()
  let log: ServiceLog | undefined
  const stop = () => {
    controller.abort()
    setTimeout(() => {
      if (log === undefined) process.stderr.write(`error: ${STUCK}\n`)
      else log.write('error', STUCK)
      // An orderly exit waits for the threads of the process, and one of them may wait for a disk.
      process.kill(process.pid, 'SIGKILL')
    }, STOP_MS).unref()
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const outputTo = (stream: NodeJS.WriteStream): Output => ({
    write: (content) => stream.write(content),
    isTTY: stream.isTTY,
    color: showsColor(stream, environment),
    columns: stream.isTTY ? stream.columns : undefined,
  })
  return {
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    stop: controller.signal,
    tellsWaits: true,
    useLog(given) {
      log = given
      process.removeAllListeners('warning')
      process.on('warning', ({ name, message }) => given.write('warn', `Node.js: ${message}`, { name }))
      process.on('uncaughtException', (error) => {
        given.failure(error)
        process.exit(1)
      })
    },
  }
}

/** A terminal shows styles unless NO_COLOR is set. FORCE_COLOR overrides both; 0 turns styles off. */
export function showsColor({ isTTY }: Pick<Output, 'isTTY'>, environment: Environment): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: kind } = environment
  if (forced !== undefined) return !['0', 'false'].includes(forced)
  return isTTY === true && (refused ?? '') === '' && kind !== 'dumb'
}
