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
}

type Environment = Readonly<Record<string, string | undefined>>

/** The streams and signals of this process. A closed pipe, such as after `| head`, ends the process quietly. */
export function processIo(environment: Environment): Io {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
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
  }
}

/** A terminal shows styles unless NO_COLOR is set. FORCE_COLOR overrides both; 0 turns styles off. */
export function showsColor({ isTTY }: Pick<Output, 'isTTY'>, environment: Environment): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: kind } = environment
  if (forced !== undefined) return !['0', 'false'].includes(forced)
  return isTTY === true && (refused ?? '') === '' && kind !== 'dumb'
}
