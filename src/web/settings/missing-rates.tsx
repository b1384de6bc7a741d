import { useQuery } from '@tanstack/react-query'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { formatDay } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'

type Missing = components['schemas']['MissingFxRate']

const HEIGHT = 44
/** All amounts are looked at for it. */
const FRESH_MS = 60_000

/** Which exchange rates amounts need that are not there, in words. */
export function MissingRates() {
  const asked = useQuery({
    queryKey: ['fx', 'missing'],
    queryFn: async ({ signal }) => (await client.get('/api/fx/missing', { signal })).data,
    staleTime: FRESH_MS,
  })
  if (asked.error !== null) return <Problem error={asked.error} onRetry={() => void asked.refetch()} />
  if (asked.data === undefined) return <Skeleton height={HEIGHT} />
  if (asked.data.length === 0) return <p>No exchange rates are missing.</p>
  const currencies = [...new Set(asked.data.map(({ to }) => to))]
  return (
    <div className="problem">
      <p className="problem-title">Missing exchange rates. Totals in {currencies.join(', ')} are unavailable until you add:</p>
      <ul>
        {asked.data.map((each) => (
          <li key={`${each.from} ${each.to}`}>{sentence(each)}</li>
        ))}
      </ul>
    </div>
  )
}

function sentence({ from, to, first_day, last_day, count }: Missing): string {
  const days =
    first_day === last_day ? `on ${formatDay(first_day)}` : `between ${formatDay(first_day)} and ${formatDay(last_day)}`
  return `${from} to ${to}: needed for ${count === 1 ? '1 amount' : `${formatValue(count, 'count')} amounts`} ${days}.`
}
