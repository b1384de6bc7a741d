import type { Io, Output } from './io.ts'

const QUIET_MS = 1_000
const CLEAR = '\r\u001b[K'

/**
 * Runs work that may take long. On a terminal, a line shows the elapsed time after one second and then every second. The line disappears
 * when the work writes output or ends.
 */
export async function showElapsed<T>(io: Io, work: (io: Io) => Promise<T>): Promise<T> {
  if (io.stderr.isTTY !== true) return work(io)
  const began = Date.now()
  let isShown = false
  const timer = setInterval(() => {
    isShown = true
    io.stderr.write(`${CLEAR}Working … ${Math.round((Date.now() - began) / 1_000)} s`)
  }, QUIET_MS)
  timer.unref()
  const end = () => {
    clearInterval(timer)
    if (isShown) io.stderr.write(CLEAR)
    isShown = false
  }
  const clearing = (output: Output): Output => ({
    ...output,
    write: (content) => {
      end()
      return output.write(content)
    },
  })
  return work({
    ...io,
    stdout: clearing(io.stdout),
    stderr: clearing(io.stderr),
  }).finally(end)
}

/** Shows the number of rows read so far on one line of a terminal. Writes nothing without a terminal. */
export function progressOn({ stderr }: Io) {
  let isShown = false
  return {
    show: (rows: number): void => {
      if (stderr.isTTY !== true) return
      isShown = true
      stderr.write(`\r\u001b[K${rows.toLocaleString('en')} rows`)
    },
    end: (): void => {
      if (isShown) stderr.write('\n')
    },
  }
}
