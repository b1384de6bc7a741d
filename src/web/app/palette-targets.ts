import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { client } from '../api/client.ts'
import { useFields, useSegmentFields, useSegments } from '../api/resources.ts'
import { kept, type Search } from '../controls/search.ts'
import { askedFigures, figuresNamed } from './asked-figures.ts'
import { MENU } from './menu.ts'
import { readWords } from './read-words.ts'
import { useShown } from './use-shown.ts'

/** A place that the palette leads to. */
export interface Target {
  readonly id: string
  readonly label: string
  readonly kind: string
  go(): void
}

const MOST_CUSTOMERS = 8
const LEAST_LETTERS = 2

/** Pages, segments, figures and customers that a text may mean. */
export function useTargets(text: string): readonly Target[] {
  const navigate = useNavigate()
  const wanted = useDeferredValue(text.trim())
  const isWord = wanted.length >= LEAST_LETTERS
  const { data: segments = [] } = useSegments()
  const figures = useFigures(wanted)
  const { data: customers = [] } = useQuery({
    queryKey: ['palette', wanted],
    queryFn: async ({ signal }) =>
      (await client.get('/api/customers', { query: { search: wanted, limit: MOST_CUSTOMERS }, signal })).data.rows,
    enabled: isWord,
  })
  const search = (before: Search) => kept(before)
  const named = ({ label }: Target) => label.toLowerCase().includes(wanted.toLowerCase())
  const pages = MENU.filter(useShown()).map(({ to, label }) => ({
    id: to,
    label,
    kind: 'Page',
    go: () => void navigate({ to, search }),
  }))
  const saved = segments.map(({ id, name }) => ({
    id,
    label: name,
    kind: 'Segment',
    go: () => void navigate({ to: '/', search: (before: Search) => ({ ...kept(before), segment: id }) }),
  }))
  // What was asked in words is the whole question: days and filters of the page do not go along.
  const asked = figures.map(({ label, search: state }) => ({
    id: `figure ${label}`,
    label,
    kind: 'Metric',
    go: () => void navigate({ to: '/explore', search: state }),
  }))
  const found = customers.map(({ id, name, email, external_key }) => ({
    id,
    label: name ?? email ?? external_key ?? id,
    kind: 'Customer',
    go: () => void navigate({ to: '/customers/$id', params: { id }, search }),
  }))
  return [...[...pages, ...saved].filter(named), ...(isWord ? [...asked, ...found] : [])]
}

function useFigures(text: string) {
  const words = readWords(text)
  const named = figuresNamed(words)
  const metric = named[0]?.figure.metric
  const { data: fields } = useFields(metric)
  const { data: known = [] } = useSegmentFields(named.length > 0)
  return named.flatMap((one) => askedFigures(one, words, one.figure.metric === metric ? fields : undefined, known))
}
