import { performance } from 'node:perf_hooks'
import type { Log } from '../facades/http/log.ts'
import type { CacheState } from '../ports/read-through.ts'

/** A filling that ends sooner is not worth a line of progress. */
const QUIET_MS = 2_000
const INTERVAL_MS = 10_000
const CLEAR = '\r\u001b[K'

/** Logs the filling of a service's cache: a line after two seconds, one every ten seconds, and one at the end. */
export function fillLog(log: Log, clock: () => number = () => performance.now()): (state: CacheState) => void {
  let began: number | undefined
  let next = 0
  return ({ status, accounts, progress }) => {
    if (status !== 'filling') {
      if (status === 'ready' && began !== undefined)
        log('info', 'The cache is filled.', { accounts, seconds: Math.round((clock() - began) / 1_000) })
      began = undefined
      return
    }
    if (began === undefined) {
      began = clock()
      next = began + QUIET_MS
    }
    if (clock() < next) return
    next = clock() + INTERVAL_MS
    log('info', 'Filling the cache; until it is filled, the billing database answers.', {
      accounts,
      accounts_total: progress?.accounts_total ?? undefined,
      rows: progress?.rows,
      percent: percentOf(progress?.share),
      seconds_left: progress?.seconds_left ?? undefined,
    })
  }
}

/** Shows the filling of a command's cache on one line of a terminal. */
export function fillLine(write: (text: string) => void): (state: CacheState) => void {
  return ({ status, accounts, progress, reason }) => {
    if (status === 'idle') return
    if (status === 'failed')
      return write(`${CLEAR}The cache is not used${reason === undefined ? '; the log says why.' : `: ${reason}`}\n`)
    if (status !== 'filling') return write(`${CLEAR}Cache ${status}: ${whole(accounts)} accounts\n`)
    const { accounts_total = null, share, seconds_left = null } = progress ?? {}
    const parts = [
      `${whole(accounts)}${accounts_total === null ? '' : ` of ${whole(accounts_total)}`} accounts`,
      ...(percentOf(share) === undefined ? [] : [`${percentOf(share)} %`]),
      ...(seconds_left === null ? [] : [`about ${seconds_left} s left`]),
    ]
    write(`${CLEAR}Filling the cache: ${parts.join(', ')}`)
  }
}

function percentOf(share: number | null | undefined): number | undefined {
  return typeof share === 'number' ? Math.floor(share * 100) : undefined
}

function whole(value: number): string {
  return value.toLocaleString('en')
}
