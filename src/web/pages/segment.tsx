import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { client } from '../api/client.ts'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { SegmentForm } from '../segments/segment-form.tsx'

const route = getRouteApi('/segments/$id')
const HEIGHT = 480
const LEAD = 'Customers who match these conditions, evaluated at the date of each figure.'

/** A segment to be changed. */
export function Segment() {
  const { id } = route.useParams()
  const asked = useQuery({
    queryKey: ['segment', id],
    queryFn: async ({ signal }) => (await client.get('/api/segments/{id}', { path: { id }, signal })).data,
    // What is being changed must not be replaced by what was saved meanwhile.
    staleTime: 0,
    refetchOnReconnect: false,
  })
  return (
    <Page title={asked.data?.name ?? 'Segment'} lead={LEAD}>
      {asked.error !== null && <Problem error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.error === null && asked.data === undefined && <Skeleton height={HEIGHT} />}
      {asked.data !== undefined && <SegmentForm key={`${id} ${asked.data.updated_at}`} segment={asked.data} />}
    </Page>
  )
}

/** A segment that is not saved yet. */
export function NewSegment() {
  return (
    <Page title="New segment" lead={LEAD}>
      <SegmentForm />
    </Page>
  )
}
