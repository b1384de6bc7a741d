/** The outcomes of the requests of a soak. */
export interface Tally {
  /** A request with its status, or `aborted` by us, or `cut` by the other side. */
  count(outcome: Outcome): void
  readonly outcomes: ReadonlyMap<string, number>
  /** Outcomes that must not be. */
  readonly offences: readonly string[]
  requests(): number
  slowestMs(): number
  /** Milliseconds below which that share of the answers came. */
  percentile(share: number): number
}

export interface Outcome {
  readonly path: string
  readonly status: number | 'aborted' | 'cut'
  readonly code?: string | undefined
  readonly retryAfter?: string | null
  readonly ms: number
}

/** Failures that say: come again. Their codes and the header that goes with them. */
const TEMPORARY: Readonly<Record<number, readonly string[]>> = {
  503: ['connector_unavailable', 'overloaded', 'replica_lagging', 'unavailable'],
  504: ['query_timeout'],
}
const KEPT_OFFENCES = 50

/** Counts outcomes; anything of 500 and above but a temporary failure with its code is an offence, and so is whatever took longer than the limit. */
export function createTally(limitMs: number): Tally {
  const outcomes = new Map<string, number>()
  const offences: string[] = []
  const times: number[] = []
  const offend = (text: string): void => void (offences.length < KEPT_OFFENCES && offences.push(text))
  return {
    outcomes,
    offences,
    count({ path, status, code, retryAfter, ms }) {
      const key = code === undefined ? `${status}` : `${status} ${code}`
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
      times.push(ms)
      if (typeof status === 'number' && status >= 500) {
        if (TEMPORARY[status]?.includes(code ?? '') !== true) offend(`${key}: ${path}`)
        if (status === 503 && (retryAfter ?? '') === '') offend(`${key} without retry-after: ${path}`)
      }
      if (status === 'cut') offend(`connection cut: ${path}`)
      if (ms > limitMs) offend(`${Math.round(ms)} ms, limit ${limitMs}: ${status} ${path}`)
    },
    requests: () => times.length,
    slowestMs: () => times.reduce((most, ms) => Math.max(most, ms), 0),
    percentile(share) {
      const sorted = [...times].sort((one, other) => one - other)
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    },
  }
}
