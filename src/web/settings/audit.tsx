import { keepPreviousData, useQuery } from '@tanstack/react-query'
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
  { value: 'ok', label: 'Done' },
  { value: 'refused', label: 'Refused' },
  { value: 'failed', label: 'Failed' },
] as const
type Outcome = (typeof OUTCOMES)[number]['value']

const COLUMNS: readonly Column[] = [
  { key: 'at', label: 'When', render: (row) => formatInstant(String(row['at'])) },
  { key: 'actor_name', label: 'Who', render: (row) => String(row['actor_name'] ?? row['actor_id']) },
  { key: 'action', label: 'What' },
  { key: 'target', label: 'On what' },
  { key: 'outcome', label: 'Outcome', render: (row) => OUTCOMES.find(({ value }) => value === row['outcome'])?.label ?? '' },
  { key: 'remote_address', label: 'From' },
  { key: 'count', label: 'Times', isNumber: true },
]

/** What was done and tried, by whom, the newest first. */
export function AuditCard() {
  const { status, offset = 0 } = useSearchState()
  const change = useChangeSearch()
  const outcome: Outcome = OUTCOMES.find(({ value }) => value === status)?.value ?? 'all'
  const query = { limit: LIMIT, offset, ...(outcome === 'all' ? {} : { outcome: [outcome] }) }
  const asked = useQuery({
    queryKey: ['audit', query],
    queryFn: async ({ signal }) => (await client.get('/api/audit', { query, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return (
    <Section
      title="Audit log"
      lead="Sign-ins, refused credentials, changes, imports, exports and reads of personal data."
      tools={
        <ChoiceTabs
          label="Outcome"
          value={outcome}
          choices={OUTCOMES}
          onChoose={(value) => change({ status: value === 'all' ? undefined : value, offset: undefined }, { replace: true })}
        />
      }
    >
      {asked.error !== null && <Problem error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton height={HEIGHT} />}
      {asked.data?.rows.length === 0 && <Empty>Nothing of this kind is recorded.</Empty>}
      {asked.data !== undefined && asked.data.rows.length > 0 && (
        <>
          <Table caption="Audit log" columns={COLUMNS} rows={asked.data.rows} currency="" />
          <Pager
            total={asked.data.total}
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
