import type { Io, Output } from './io.ts'

const QUIET_MS = 1_000
const CLEAR = '\r\u001b[K'

/** Seconds after which a sentence announces a wait where there is no terminal. Then every half minute. */
const TOLD_AFTER_S = [2, 10, 30]
const TOLD_EVERY_S = 30

/** Runs work that may take long. Elsewhere than on a terminal, a sentence says so after two seconds. */
async function tellWait<T>({ stderr }: Io, work: () => Promise<T>): Promise<T> {
  let seconds = 0
  const timer = setInterval(() => {
    seconds++
    if (TOLD_AFTER_S.includes(seconds) || seconds % TOLD_EVERY_S === 0)
      stderr.write(seconds === TOLD_AFTER_S[0] ? 'Working; this takes a moment.\n' : `Still working after ${seconds} s.\n`)
  }, QUIET_MS)
  timer.unref()
  return work().finally(() => clearInterval(timer))
}

/**
 * Runs work that may take long. On a terminal, a line shows the elapsed time after one second and then every second. The line disappears
 * when the work writes output or ends. Elsewhere a sentence says so, unless a program reads standard error as JSON.
 */
export async function showElapsed<T>(io: Io, work: (io: Io) => Promise<T>, isForProgram = false): Promise<T> {
  if (io.stderr.isTTY !== true) return io.tellsWaits === true && !isForProgram ? tellWait(io, () => work(io)) : work(io)
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

/** Shows the number of rows read so far, or what is done, on one line of a terminal. Elsewhere `showElapsed` tells a long wait. */
export function progressOn({ stderr }: Io) {
  let isShown = false
  const say = (text: string): void => {
    if (stderr.isTTY !== true) return
    isShown = true
    stderr.write(`\r\u001b[K${text}`)
  }
  return {
    say,
    show: (rows: number): void => say(`${rows.toLocaleString('en')} rows`),
    end: (): void => {
      if (isShown) stderr.write('\n')
    },
  }
}
