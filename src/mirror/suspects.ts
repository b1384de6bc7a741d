/** Remembers the statements whose failure has cost a filling. */
export interface Suspects {
  /** Notes a failure. True when the statement had failed before and not succeeded since: then it is at fault, and not its database. */
  failed(text: string): boolean
  succeeded(text: string): void
}

const MOST = 500

/**
 * Begins with no statement under suspicion. A statement that always fails costs one filling and no more; otherwise whoever asks it again
 * and again would keep the cache empty.
 */
export function createSuspects(): Suspects {
  const texts = new Set<string>()
  return {
    failed(text) {
      if (texts.has(text)) return true
      texts.add(text)
      const [oldest] = texts
      if (texts.size > MOST && oldest !== undefined) texts.delete(oldest)
      return false
    },
    succeeded: (text) => void texts.delete(text),
  }
}
