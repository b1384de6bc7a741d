import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type components, PlumblineError } from '../../client/index.ts'
import { BASE_URL } from '../api/base.ts'
import { isRow } from '../api/use-answer.ts'
import { fetchSignedIn } from '../auth/session.ts'
import { formatInstant } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { Section } from './section.tsx'

type Readiness = components['schemas']['Readiness']
type Checks = NonNullable<Readiness['checks']>

const HEIGHT = 150
const REFRESH_MS = 30_000

/** Whether the service can answer, and how what it depends on is. */
export function ReadinessCard() {
  const asked = useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => readiness(signal),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  const found = asked.data
  const checks = found?.checks
  return (
    <Section
      title="Service status"
      tools={found !== undefined && <State isGood={found.status === 'ok'} text={found.status === 'ok' ? 'Ready' : 'Not ready'} />}
    >
      {asked.error !== null && <Problem error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton height={HEIGHT} />}
      {found !== undefined && checks === undefined && <p>Details require the scope “read”.</p>}
      {checks !== undefined && (
        <dl className="facts">
          <Fact name="Billing database">{databaseText(checks)}</Fact>
          {checks.replica.reason !== undefined && <Fact name="Problem">{checks.replica.reason}</Fact>}
          <Fact name="Plumbline database">{storeText(checks)}</Fact>
          {checks.cache !== undefined && <Fact name="Cache">{cacheText(checks.cache)}</Fact>}
          {checks.sources !== undefined && <Fact name="Accounting">{booksText(checks.sources)}</Fact>}
        </dl>
      )}
    </Section>
  )
}

// Not through the client: being unready is an answer here and no failure.
async function readiness(signal: AbortSignal): Promise<Readiness> {
  const response = await fetchSignedIn(`${BASE_URL}/readyz`, { signal, headers: { accept: 'application/json' } })
  const body: unknown = await response.json()
  if (!isRow(body) || typeof body['status'] !== 'string') throw new PlumblineError(response.status, undefined)
  return body as unknown as Readiness
}

function State({ isGood, text }: { isGood: boolean; text: string }) {
  return <span className={`tag is-${isGood ? 'connected' : 'needs_reconnect'}`}>{text}</span>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function databaseText({ replica }: Checks): string {
  const { ok, role, lag_seconds, version } = replica
  const behind = lag_seconds === null ? '' : `, ${count(lag_seconds)} s behind`
  const kind = role === 'unknown' ? '' : `, ${role}`
  return `${ok ? 'OK' : 'Unavailable'}${kind}${behind}${version === null ? '' : `, version ${version}`}`
}

function storeText({ store }: Checks): string {
  if (store.ok === null) return 'Disabled'
  return store.ok ? 'OK' : 'Not responding'
}

function cacheText({ status, accounts, snapshot_at }: NonNullable<Checks['cache']>): string {
  const of = { idle: 'Not started', filling: 'Filling', ready: 'Ready', failed: 'Failed' }[status]
  return `${of}, ${count(accounts)} accounts${snapshot_at === null ? '' : `, as of ${formatInstant(snapshot_at)}`}`
}

function booksText({ needs_reconnect, dead_letters, waiting }: NonNullable<Checks['sources']>): string {
  const lost = needs_reconnect.length === 0 ? '' : `reconnect ${needs_reconnect.join(', ')}, `
  return `${lost}${count(waiting)} notifications waiting, ${count(dead_letters)} failed`
}

function count(value: number): string {
  return formatValue(value, 'count')
}
