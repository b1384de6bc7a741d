/** Awaits the action. After `limitMs` (never, when undefined) it calls `giveUp` once, which must make the action resolve or reject. */
export async function withDeadline<T>(limitMs: number | undefined, giveUp: () => void, action: () => Promise<T>): Promise<T> {
  const watchdog = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs)
  try {
    return await action()
  } finally {
    clearTimeout(watchdog)
  }
}
