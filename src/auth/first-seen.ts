/** Tokens that are remembered at most; which of those that are forgotten comes back counts as a new one. */
const MOST_TOKENS = 10_000

/** Says of a token whether it is seen for the first time; `until`: when it expires, milliseconds. */
export type IsFirst = (token: string, until: number) => boolean

/** Remembers tokens as long as they live, so that a sign-in is recorded once. */
export function createFirstSeen(): IsFirst {
  const seen = new Map<string, number>()
  return (token, until) => {
    const known = seen.get(token)
    if (known !== undefined && known > Date.now()) return false
    if (seen.size >= MOST_TOKENS) forget(seen)
    seen.set(token, until)
    return true
  }
}

function forget(seen: Map<string, number>): void {
  for (const [token, until] of seen) if (until <= Date.now()) seen.delete(token)
  // A map keeps the order in which they came.
  for (const token of seen.keys()) {
    if (seen.size < MOST_TOKENS) return
    seen.delete(token)
  }
}
