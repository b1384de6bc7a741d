import { useQuery } from '@tanstack/react-query'
import { BASE_URL } from '../api/base.ts'
import { client } from '../api/client.ts'
import { isRow, textIn } from '../api/use-answer.ts'
import { useNow } from '../controls/use-page.ts'
import { formatInstant } from '../format/days.ts'
import { Section } from './section.tsx'

/** What this service is, by which definitions it counts, and where it is described. */
export function AboutCard() {
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
