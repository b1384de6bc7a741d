/** What wakes a loop before its time. */
export interface Bell {
  ring(): void
  /** Resolves after so many milliseconds, or when it is rung or was rung since the last wait. */
  wait(milliseconds: number): Promise<void>
}

/** A bell that nobody has rung yet. */
export function createBell(): Bell {
  let isRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      isRung = true
      wake?.()
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(end, isRung ? 0 : milliseconds)
        wake = end
        function end() {
          clearTimeout(timer)
          wake = undefined
          isRung = false
          resolve()
        }
      }),
  }
}
