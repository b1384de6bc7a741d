const KEY = 'plumbline.tries'
const FIRST_MS = 2_000
const MOST = 5

/**
 * How long to wait until the issuer is asked once more, each time twice as long; undefined once that was often enough. It is counted for the
 * tab, as asking leaves the page.
 */
export function nextDelay(): number | undefined {
  const tries = Number(sessionStorage.getItem(KEY) ?? 0)
  if (tries >= MOST) return undefined
  sessionStorage.setItem(KEY, String(tries + 1))
  return FIRST_MS * 2 ** tries
}

/** Begins to count anew: the user is signed in. */
export function resetTries(): void {
  sessionStorage.removeItem(KEY)
}
