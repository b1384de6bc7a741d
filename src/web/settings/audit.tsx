import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { client } from '../api/client.ts'
import { useChangeSearch, useSearchState } from '../controls/use-page.ts'
import { formatInstant } from '../format/days.ts'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { Pager } from '../parts/pager.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Section } from './section.tsx'

const LIMIT = 25
const HEIGHT = 320
const OUTCOMES = [
  { value: 'all', label: 'All' },
  { value: 'ok', label: 'Succeeded' },
  { value: 'refused', label: 'Rejected' },
  { value: 'failed', label: 'Failed' },
] as const
type Outcome = (typeof OUTCOMES)[number]['value']

/** The audit log, newest first, with filters by outcome, action and actor. */
export function AuditCard() {
  const { status, action, actor_id, offset = 0 } = useSearchState()
  const change = useChangeSearch()
  const outcome: Outcome = OUTCOMES.find(({ value }) => value === status)?.value ?? 'all'
  const query = {
    limit: LIMIT,
    offset,
    ...(outcome === 'all' ? {} : { outcome: [outcome] }),
    ...(action === undefined ? {} : { action: [action] }),
    ...(actor_id === undefined ? {} : { actor_id: [actor_id] }),
  }
  const answer = useQuery({
    queryKey: ['audit', query],
    queryFn: async ({ signal }) => (await client.get('/api/audit', { query, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const refresh = () => void answer.refetch()
  useAfterChanges(refresh)
  const rows = answer.data?.rows ?? []
  const filter = (by: { action: string } | { actor_id: string }) => change({ ...by, offset: undefined }, { replace: true })
  return (
    <Section
      title="Audit log"
      lead="Sign-ins, rejected credentials, changes, imports, exports and reads of personal data."
      tools={
        <>
          <ChoiceTabs
            label="Outcome"
            value={outcome}
            choices={OUTCOMES}
            onChoose={(value) => change({ status: value === 'all' ? undefined : value, offset: undefined }, { replace: true })}
          />
          <button type="button" className="button" disabled={answer.isFetching} onClick={refresh}>
            Refresh
          </button>
        </>
      }
    >
      <AuditFilters who={rows.find((row) => row.actor_id === actor_id)?.actor_name ?? actor_id} />
      {answer.error !== null && <Problem error={answer.error} onRetry={refresh} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data?.rows.length === 0 && <Empty>No matching entries.</Empty>}
      {answer.data !== undefined && rows.length > 0 && (
        <>
          <Table stacks caption="Audit log" columns={columnsWith(filter)} rows={rows} currency="" />
          <Pager
            total={answer.data.total}
            offset={offset}
            limit={LIMIT}
            label="Pages of the log"
            onTurn={(next) => change({ offset: next === 0 ? undefined : next })}
          />
        </>
      )}
    </Section>
  )
}

function columnsWith(filter: (by: { action: string } | { actor_id: string }) => void): readonly Column[] {
  return [
    { key: 'at', label: 'Time', render: (row) => formatInstant(String(row['at'])) },
    {
      key: 'actor_name',
      label: 'Actor',
      render: (row) => (
        <Only onChoose={() => filter({ actor_id: String(row['actor_id']) })}>{String(row['actor_name'] ?? row['actor_id'])}</Only>
      ),
    },
    {
      key: 'action',
      label: 'Action',
      render: (row) => <Only onChoose={() => filter({ action: String(row['action']) })}>{String(row['action'])}</Only>,
    },
    { key: 'target', label: 'Target' },
    { key: 'outcome', label: 'Outcome', render: (row) => OUTCOMES.find(({ value }) => value === row['outcome'])?.label ?? '' },
    { key: 'remote_address', label: 'IP address' },
    { key: 'count', label: 'Count', isNumber: true },
  ]
}

/** A value that filters the log when clicked. */
function Only({ children, onChoose }: { children: ReactNode; onChoose: () => void }) {
  return (
    <button type="button" className="cell-button" title="Filter by this value" onClick={onChoose}>
      {children}
    </button>
  )
}

/** Active filters by actor and action, each removable. */
function AuditFilters({ who }: { who: string | undefined }) {
  const { action, actor_id } = useSearchState()
  const change = useChangeSearch()
  const chosen = [
    { name: 'actor_id', text: actor_id === undefined ? undefined : `Actor: ${who}` },
    { name: 'action', text: action === undefined ? undefined : `Action: ${action}` },
  ] as const
  if (action === undefined && actor_id === undefined) return null
  return (
    <div className="form-buttons">
      {chosen.map(
        ({ name, text }) =>
          text !== undefined && (
            <span key={name} className="chip">
              {text}
              <button
                type="button"
                aria-label={`Remove filter ${text}`}
                onClick={() => change({ [name]: undefined, offset: undefined }, { replace: true })}
              >
                ✕
              </button>
            </span>
          ),
      )}
    </div>
  )
}

/** Wait this long for an entry, because the service writes it within a second. */
const WRITTEN_MS = 1_200

/** Runs `act` once the service has logged a change that was made on this page. */
function useAfterChanges(act: () => void): void {
  const queries = useQueryClient()
  const onWritten = useEffectEvent(act)
  useEffect(() => {
    let pause: ReturnType<typeof setTimeout> | undefined
    const stop = queries.getMutationCache().subscribe(({ mutation, type }) => {
      if (type !== 'updated' || mutation.state.status === 'pending' || mutation.state.status === 'idle') return
      clearTimeout(pause)
      pause = setTimeout(onWritten, WRITTEN_MS)
    })
    return () => {
      stop()
      clearTimeout(pause)
    }
  }, [queries])
}
