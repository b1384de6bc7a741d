import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../api/client.ts'
import { useSegments } from '../api/resources.ts'
import { kept } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'

const TITLE = 'Segments'
const HEIGHT = 60
/** Each segment is one more call. */
const MOST = 20

/** The saved segments that a customer is in now. */
export function CustomerSegments({ id }: { id: string }) {
  const search = kept(useSearchState())
  const { data = [], isPending, error } = useSegments()
  // A segment that names what nothing has would be refused.
  const sound = data.filter(({ warnings }) => warnings.length === 0)
  const asked = useQueries({
    queries: sound.slice(0, MOST).map((segment) => ({
      queryKey: ['customer-segment', id, segment.id, segment.updated_at],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (
          await client.get('/api/customers', {
            query: { segment: segment.id, search: id, limit: 1 },
            signal,
          })
        ).data.total > 0,
    })),
  })
  // Without a side store there are no segments, and nothing to say about them.
  if (error !== null) return null
  const isKnown = !isPending && asked.every(({ isPending: isAsked }) => !isAsked)
  const refused = asked.find((one) => one.error !== null)?.error
  const found = sound.filter((_, place) => asked[place]?.data === true)
  return (
    <section className="card" aria-label={TITLE}>
      <h2>{TITLE}</h2>
      {!isKnown && <Skeleton height={HEIGHT} />}
      {isKnown && found.length === 0 && refused === undefined && <Empty>This customer matches no saved segment.</Empty>}
      {refused !== undefined && refused !== null && <Problem error={refused} />}
      <ul className="plain">
        {found.map(({ id: segment, name }) => (
          <li key={segment}>
            <Link to="/segments/$id" params={{ id: segment }} search={search}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {sound.length > MOST && <p className="muted">Only the {MOST} most recently changed segments were checked.</p>}
    </section>
  )
}
