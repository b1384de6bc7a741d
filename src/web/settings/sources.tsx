import { useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { useMay } from '../auth/who.ts'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { ConnectButton } from './connect-button.tsx'
import { Section } from './section.tsx'
import { SourceItem } from './source-item.tsx'

const HEIGHT = 160
const RUNNING_MS = 2_000

/** Where figures and books come from, and how the reading of each goes. */
export function SourcesCard() {
  const isAdmin = useMay('admin')
  const asked = useQuery({
    queryKey: ['sources'],
    queryFn: async ({ signal }) => (await client.get('/api/sources', { signal })).data,
    staleTime: 0,
    // A run goes on after its call has been answered.
    refetchInterval: ({ state }) =>
      state.data?.some(({ last_run }) => last_run?.status === 'running') === true ? RUNNING_MS : false,
  })
  const all = asked.data
  const isFirst = all?.some(({ type }) => type === 'quickbooks') !== true
  return (
    <Section title="Sources" lead="Billing data is read live. Expenses come from an accounting platform or from imported files.">
      {asked.error !== null && <Problem error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton height={HEIGHT} />}
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
