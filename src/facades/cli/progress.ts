import type { Io } from './io.ts'

/** Rows read so far, on one line of a terminal; nothing anywhere else. */
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
