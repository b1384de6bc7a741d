import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../api/client.ts'
import { useSegments } from '../api/resources.ts'
import { useHasScope } from '../auth/who.ts'
import { lastingSearch } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { formatDay } from '../format/days.ts'
import { labelOfField } from '../format/labels.ts'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import type { CustomerDetail } from './customer.tsx'

const ATTRIBUTES_TITLE = 'Attributes'

/** Attributes of a customer. The user can change attributes that Plumbline stores, but not those of the billing engine. */
export function CustomerAttributes({ customer }: { customer: CustomerDetail }) {
  const [edited, setEdited] = useState<string>()
  const mayWrite = useHasScope('write')
  const { data: definitions = [] } = useQuery({
    queryKey: ['attributes'],
    queryFn: async ({ signal }) => (await client.get('/api/attributes', { signal })).data,
  })
  const known = new Map(definitions.map((definition) => [definition.key, definition]))
  const shown = Object.entries(customer.attributes).filter(([key]) => known.get(key)?.source !== 'computed')
  return (
    <section className="card" aria-label={ATTRIBUTES_TITLE}>
      <header className="card-head">
        <h2>{ATTRIBUTES_TITLE}</h2>
        <div className="card-tools">
          {mayWrite && (
            <button type="button" className="button is-quiet" onClick={() => setEdited('')}>
              Add
            </button>
          )}{' '}
        </div>
      </header>
      {shown.length === 0 && edited === undefined && <Empty>No attributes yet.</Empty>}
      <dl className="facts">
        {shown.map(([key, value]) => (
          <div key={key}>
            <dt>{labelOfField({ key: `attr.${key}`, label: known.get(key)?.label ?? key })}</dt>
            <dd>
              {textOf(value)}
              {mayWrite && known.get(key)?.editable === true && (
                <button type="button" className="link-button" aria-label={`Edit ${key}`} onClick={() => setEdited(key)}>
                  Edit
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {edited !== undefined && (
        <AttributeForm
          key={edited}
          customer={customer}
          name={edited}
          value={textOf(customer.attributes[edited] ?? null, '')}
          onDone={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}

interface AttributeFormProps {
  readonly customer: CustomerDetail
  /** Empty for a new attribute. */
  readonly name: string
  readonly value: string
  readonly onDone: () => void
}

function AttributeForm({ customer, name, value, onDone }: AttributeFormProps) {
  const queries = useQueryClient()
  const { id } = customer
  const done = async () => {
    // Filters, groups and segments read attributes, so any answer may have changed.
    await queries.invalidateQueries()
    onDone()
  }
  const set = useMutation({
    mutationFn: ({ key, text }: { key: string; text: string }) =>
      client.post('/api/customers/{id}/attributes', { path: { id }, body: { attributes: { [key]: text } } }),
    onSuccess: done,
  })
  const drop = useMutation({
    mutationFn: () => client.delete('/api/customers/{id}/attributes/{key}', { path: { id, key: name } }),
    onSuccess: done,
  })
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    set.mutate({ key: name === '' ? String(form.get('key')) : name, text: String(form.get('value')) })
  }
  return (
    <form className="attribute-form" onSubmit={save}>
      {name === '' && (
        <label className="field">
          Key
          <input name="key" className="input" required maxLength={128} />
        </label>
      )}
      <label className="field">
        {name === '' ? 'Value' : name}
        <input name="value" className="input" required defaultValue={value} />
      </label>
      <div className="form-buttons">
        <button type="submit" className="button is-main" disabled={set.isPending}>
          Save
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        {name !== '' && (
          <button type="button" className="button is-danger" disabled={drop.isPending} onClick={() => drop.mutate()}>
            Remove
          </button>
        )}
      </div>
      {set.error !== null && <Problem error={set.error} />}
      {drop.error !== null && <Problem error={drop.error} />}
    </form>
  )
}

function textOf(value: string | number | boolean | null, none = '–'): string {
  if (value === null) return none
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? formatDay(value) : String(value)
}

const SEGMENTS_TITLE = 'Segments'
const SEGMENTS_HEIGHT = 60
/** Most segments to check, because each segment needs one call. */
const MOST_SEGMENTS = 20

/** The saved segments that currently match a customer. */
export function CustomerSegments({ id }: { id: string }) {
  const search = lastingSearch(useSearchState())
  const { data = [], isPending, error } = useSegments()
  // A segment with warnings names unknown fields, and the API would reject it.
  const sound = data.filter(({ warnings }) => warnings.length === 0)
  const answer = useQueries({
    queries: sound.slice(0, MOST_SEGMENTS).map((segment) => ({
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
  // This fails if there is no store. There are no segments then.
  if (error !== null) return null
  const isKnown = !isPending && answer.every(({ isPending: isAsked }) => !isAsked)
  const refused = answer.find((one) => one.error !== null)?.error
  const found = sound.filter((_, place) => answer[place]?.data === true)
  return (
    <section className="card" aria-label={SEGMENTS_TITLE}>
      <h2>{SEGMENTS_TITLE}</h2>
      {!isKnown && <Skeleton height={SEGMENTS_HEIGHT} />}
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
      {sound.length > MOST_SEGMENTS && (
        <p className="muted">Only the {MOST_SEGMENTS} most recently changed segments were checked.</p>
      )}
    </section>
  )
}
