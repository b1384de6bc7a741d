/** Where a command writes; a process's stream satisfies it. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}

/** The outside world of a command: results go to `stdout`, everything else to `stderr`. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  /** Aborted when the user or the system asks the process to end. */
  readonly stop: AbortSignal
}

/** The streams and signals of this process. A closed pipe ends it quietly, as `head` does to any command. */
export function processIo(): Io {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  return { stdout: process.stdout, stderr: process.stderr, stop: controller.signal }
}
