import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BASE_URL, client } from '../api/client.ts'
import { type Checks, fillingText, useReadiness } from '../api/readiness.ts'
import { isRow, textIn } from '../api/use-answer.ts'
import { useHasScope, useSignInConfig } from '../auth/who.ts'
import { useNow } from '../controls/use-page.ts'
import { formatInstant } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { AttributesCard } from '../settings/attributes.tsx'
import { AuditCard } from '../settings/audit.tsx'
import { GoalsCard } from '../settings/goals.tsx'
import { KeysCard } from '../settings/keys.tsx'
import { LinksCard } from '../settings/links.tsx'
import { RatesCard } from '../settings/rates.tsx'
import { Section } from '../settings/section.tsx'
import { SetupCard } from '../settings/setup-steps.tsx'
import { SourcesCard } from '../settings/sources.tsx'
import { VerifyCard } from '../settings/verify.tsx'

/** Sources, attributes, exchange rates, verification, links, keys, audit log and service status. */
export function Settings() {
  const mayRead = useHasScope('read')
  const isAdmin = useHasScope('admin')
  const { data: signIn } = useSignInConfig()
  // If the service requires no sign-in, API keys have no effect.
  const hasKeys = isAdmin && signIn?.auth_enabled === true
  return (
    <Page
      title="Settings"
      lead="Data sources, customer attributes, exchange rates and service status."
      showsRates={mayRead}
      isOfTenant={false}
    >
      {isAdmin && <SetupCard />}
      {mayRead && <SourcesCard />}
      {mayRead && <AttributesCard />}
      {mayRead && <RatesCard />}
      {mayRead && <GoalsCard />}
      {mayRead && <VerifyCard />}
      {mayRead && signIn?.auth_enabled === true && <LinksCard />}
      {hasKeys && <KeysCard />}
      {hasKeys && <AuditCard />}
      <div className="columns">
        <ReadinessCard />
        <AboutCard />
      </div>
    </Page>
  )
}

const HEIGHT = 150
const REFRESH_MS = 30_000

/** Whether the service is ready, and the state of its dependencies. */
function ReadinessCard() {
  const answer = useReadiness(REFRESH_MS)
  const found = answer.data
  const checks = found?.checks
  return (
    <Section
      title="Service status"
      tools={found !== undefined && <State isGood={found.status === 'ok'} text={found.status === 'ok' ? 'Ready' : 'Not ready'} />}
    >
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
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

function cacheText(cache: NonNullable<Checks['cache']>): string {
  const { status, accounts, snapshot_at } = cache
  if (status === 'filling') return `Filling, ${fillingText(cache)}`
  const of = { idle: 'Not started', ready: 'Ready', failed: 'Failed' }[status]
  return `${of}, ${count(accounts)} accounts${snapshot_at === null ? '' : `, as of ${formatInstant(snapshot_at)}`}`
}

function booksText({ needs_reconnect, dead_letters, waiting }: NonNullable<Checks['sources']>): string {
  const lost = needs_reconnect.length === 0 ? '' : `reconnect ${needs_reconnect.join(', ')}, `
  return `${lost}${count(waiting)} notifications waiting, ${count(dead_letters)} failed`
}

function count(value: number): string {
  return formatValue(value, 'count')
}

/** Version, definitions and documentation of the service. */
function AboutCard() {
  const { dataThrough, definitions, currency } = useNow()
  const { data: version } = useQuery({
    queryKey: ['version'],
    queryFn: async ({ signal }) => versionOf((await client.get('/openapi.json', { signal })).data),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Section title="About">
      <dl className="facts">
        <div>
          <dt>Plumbline</dt>
          <dd>{version ?? '…'}</dd>
        </div>
        {definitions !== undefined && (
          <div>
            <dt>Definitions</dt>
            <dd>
              <code>{definitions}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>Data through</dt>
          <dd>{dataThrough === undefined ? 'Unknown' : formatInstant(dataThrough)}</dd>
        </div>
        {currency !== '' && (
          <div>
            <dt>Base currency</dt>
            <dd>{currency}</dd>
          </div>
        )}
        <div>
          <dt>Documentation</dt>
          <dd>
            <span>
              <a href={`${BASE_URL}/docs`}>HTTP API</a>, <a href={`${BASE_URL}/openapi.json`}>OpenAPI</a>
            </span>
          </dd>
        </div>
      </dl>
    </Section>
  )
}

function versionOf(document: unknown): string | undefined {
  const info = isRow(document) ? document['info'] : undefined
  return isRow(info) ? (textIn(info, 'version') ?? undefined) : undefined
}
