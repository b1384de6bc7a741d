import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type components, PlumblineError } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { isRow } from '../api/use-answer.ts'
import { useHasScope } from '../auth/who.ts'
import { formatInstant } from '../format/days.ts'
import { labelOf } from '../format/labels.ts'
import { formatValue } from '../format/numbers.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { Section } from './section.tsx'

const HEIGHT = 160
const RUNNING_MS = 2_000

/** Sources of data and the state of their syncs. */
export function SourcesCard() {
  const isAdmin = useHasScope('admin')
  const answer = useQuery({
    queryKey: ['sources'],
    queryFn: async ({ signal }) => (await client.get('/api/sources', { signal })).data,
    staleTime: 0,
    // A run may continue after its request is answered.
    refetchInterval: ({ state }) =>
      state.data?.some(({ last_run }) => last_run?.status === 'running') === true ? RUNNING_MS : false,
  })
  const all = answer.data
  useReloadAfterRuns(all)
  const isFirst = all?.some(({ type }) => type === 'quickbooks') !== true
  return (
    <Section title="Sources" lead="Billing data is read live. Expenses come from an accounting platform or from imported files.">
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {all?.length === 0 && <Empty>No sources yet.</Empty>}
      {all !== undefined && all.length > 0 && (
        <ul className="plain settings-list">
          {all.map((source) => (
            <SourceItem key={source.id} source={source} />
          ))}
        </ul>
      )}
      {isAdmin && all !== undefined && (
        <ConnectButton type="quickbooks" label={isFirst ? 'Connect QuickBooks' : 'Connect another QuickBooks company'} />
      )}
    </Section>
  )
}

/** Asks everything again once a run has ended, because its records count in other answers. */
function useReloadAfterRuns(sources: readonly Source[] | undefined): void {
  const queries = useQueryClient()
  const ended = sources?.map(({ last_run }) => last_run?.finished_at ?? '').join()
  const known = useRef(ended)
  useEffect(() => {
    if (known.current !== undefined && known.current !== ended) void queries.invalidateQueries()
    known.current = ended
  }, [ended, queries])
}

type Source = components['schemas']['Source']
type Run = NonNullable<Source['last_run']>

const STATES: Readonly<Record<Source['status'], string>> = {
  connected: 'Connected',
  needs_reconnect: 'Reconnect required',
  disconnected: 'Disconnected',
}
const NEVER_CONNECTED = 'Not connected yet'
const KINDS: Readonly<Record<Source['kind'], string>> = {
  database: 'Billing database, read live',
  accounting: 'Accounting',
  file: 'Expenses from files',
}

/** A source with its state, its last run and its actions. */
function SourceItem({ source }: { source: Source }) {
  const { name, type, kind, status, last_synced_at, last_run, waiting, dead_letters } = source
  const isBooks = kind === 'accounting'
  return (
    <li className="settings-item">
      <div className="settings-item-head">
        <h3>{name}</h3>
        <span className={`tag is-${status}`}>{wasConnected(source) ? STATES[status] : NEVER_CONNECTED}</span>
        <span className="muted">
          {KINDS[kind]} · {type}
        </span>
      </div>
      {(isBooks || last_run !== null) && (
        <dl className="facts">
          <div>
            <dt>Synced through</dt>
            <dd>{last_synced_at === null ? 'Not synced yet' : formatInstant(last_synced_at)}</dd>
          </div>
          <div>
            <dt>Last run</dt>
            <dd>{last_run === null ? 'None' : runText(last_run)}</dd>
          </div>
          {last_run !== null && (
            <div>
              <dt>Changes</dt>
              <dd>{countsText(last_run.counts)}</dd>
            </div>
          )}
          <div>
            <dt>Notifications</dt>
            <dd>
              {formatValue(waiting, 'count')} waiting, {formatValue(dead_letters, 'count')} failed
            </dd>
          </div>
        </dl>
      )}
      {last_run?.error != null && <p className="field-error">{last_run.error}</p>}
      {isBooks && <Actions source={source} />}
      {dead_letters > 0 && <DeadLetters source={source} />}
    </li>
  )
}

function Actions({ source }: { source: Source }) {
  const { id, name, type, status, last_run } = source
  const queries = useQueryClient()
  const mayWrite = useHasScope('write')
  const isAdmin = useHasScope('admin')
  const isConnected = status === 'connected'
  // Its records count in answers of expenses and margins.
  const refresh = () => queries.invalidateQueries()
  const backfill = useMutation({
    mutationFn: () => client.post('/api/sources/{id}/backfill', { path: { id }, body: {} }),
    onSettled: refresh,
  })
  const disconnect = useMutation({
    mutationFn: () => client.delete('/api/sources/{id}', { path: { id } }),
    onSettled: refresh,
  })
  return (
    <>
      <div className="form-buttons">
        {mayWrite && isConnected && (
          <button
            type="button"
            className="button"
            aria-label={`Full resync of ${name}`}
            disabled={backfill.isPending || last_run?.status === 'running'}
            onClick={() => backfill.mutate()}
          >
            Full resync
          </button>
        )}
        {isAdmin && !isConnected && <ConnectButton type={type} label={wasConnected(source) ? 'Reconnect' : 'Connect'} />}
        {isAdmin && status !== 'disconnected' && (
          <ConfirmButton
            label="Disconnect"
            title={`Disconnect “${name}”?`}
            consequence="Plumbline stops reading from it and deletes its tokens. Data already imported stays and still counts. You can reconnect later."
            isBusy={disconnect.isPending}
            onConfirm={() => disconnect.mutate()}
          />
        )}
      </div>
      {backfill.error !== null && <Problem error={backfill.error} />}
      {disconnect.error !== null && <Problem error={disconnect.error} />}
    </>
  )
}

/** Whether a source was connected before. The status `needs_reconnect` alone does not tell, because a new source also has it. */
function wasConnected({ status, last_synced_at, last_run }: Source): boolean {
  return status !== 'needs_reconnect' || last_synced_at !== null || last_run !== null
}

function runText({ kind, status, started_at, finished_at }: Run): string {
  const what = kind === 'backfill' ? 'Full sync' : 'Changes only'
  const how = { running: 'running', succeeded: 'done', failed: 'failed' }[status]
  return `${what}, ${how}, ${finished_at === null ? `since ${formatInstant(started_at)}` : formatInstant(finished_at)}`
}

function countsText(counts: Run['counts']): string {
  const changed = Object.entries(counts).filter(([, count]) => count > 0)
  if (changed.length === 0) return 'None'
  return changed.map(([entity, count]) => `${labelOf(entity)} ${formatValue(count, 'count')}`).join(', ')
}

/**
 * Sends the browser to a platform for consent, or lists the missing settings. It requests the platform's address first, because a
 * plain link carries no credential.
 */
function ConnectButton({ type, label }: { type: string; label: string }) {
  const begin = useMutation({
    mutationFn: async () => (await client.get('/api/connectors/{type}/oauth/start', { path: { type } })).data.authorize_url,
    onSuccess: (address) => location.assign(address),
  })
  const missing = missingOf(begin.error)
  return (
    <div className="settings-action">
      <button type="button" className="button" disabled={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
        {label}
      </button>
      {missing.length > 0 && (
        <p className="notice" role="alert">
          This connection is not configured yet. Missing settings: {missing.join(', ')}. <code>docs/expenses.md</code> explains
          step by step where to get them.
        </p>
      )}
      {begin.error !== null && missing.length === 0 && <Problem error={begin.error} />}
    </div>
  )
}

/** Missing settings of a platform, from the error. */
function missingOf(error: Error | null): readonly string[] {
  const body: unknown = error instanceof PlumblineError ? error.body : undefined
  const missing = isRow(body) ? body['missing'] : undefined
  return Array.isArray(missing) ? missing.map(String) : []
}
