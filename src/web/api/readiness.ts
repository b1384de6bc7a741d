import { useQuery } from '@tanstack/react-query'
import { type components, PlumblineError } from '../../client/index.ts'
import { fetchSignedIn } from '../auth/session.ts'
import { formatValue } from '../format/numbers.ts'
import { BASE_URL } from './client.ts'
import { isRow } from './use-answer.ts'

type Readiness = components['schemas']['Readiness']
export type Checks = NonNullable<Readiness['checks']>
type Cache = NonNullable<Checks['cache']>

/** Milliseconds between two looks at a cache that is being filled. */
const FILLING_MS = 2_000

/** Whether the service is ready, and the state of its dependencies, read again after `refreshMs`. False: only while the cache is filled. */
export function useReadiness(refreshMs: number | false) {
  return useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => readiness(signal),
    refetchInterval: ({ state }) => (state.data?.checks?.cache?.status === 'filling' ? FILLING_MS : refreshMs),
    staleTime: 0,
  })
}

// Does not use the client, because here “not ready” is an answer and not an error.
async function readiness(signal: AbortSignal): Promise<Readiness> {
  const response = await fetchSignedIn(`${BASE_URL}/readyz`, { signal, headers: { accept: 'application/json' } })
  const body: unknown = await response.json()
  if (!isRow(body) || typeof body['status'] !== 'string') throw new PlumblineError(response.status, undefined)
  return body as unknown as Readiness
}

/** How far the filling of a cache is: `43 %, 120,000 of 280,000 customers, about 20 s left`. */
export function fillingText({ accounts, progress }: Cache): string {
  const { accounts_total = null, share = null, seconds_left = null } = progress ?? {}
  const count = (value: number) => formatValue(value, 'count')
  return [
    ...(share === null ? [] : [`${Math.floor(share * 100)} %`]),
    `${count(accounts)}${accounts_total === null ? '' : ` of ${count(accounts_total)}`} customers`,
    ...(seconds_left === null ? [] : [`about ${count(seconds_left)} s left`]),
  ].join(', ')
}
