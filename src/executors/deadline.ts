/** Awaits the action; after `limitMs` (never, when undefined) calls `giveUp` once, which must make the action settle. */
export async function withDeadline<T>(limitMs: number | undefined, giveUp: () => void, action: () => Promise<T>): Promise<T> {
  const watchdog = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs)
  try {
    return await action()
  } finally {
    clearTimeout(watchdog)
  }
}
