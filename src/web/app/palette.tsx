import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import type { components } from '../../client/index.ts'
import { withinSentence } from '../../core/label.ts'
import { client } from '../api/client.ts'
import { filtersOffered, groupsOffered, useFields, useSegmentFields, useSegments } from '../api/resources.ts'
import { isRangeName, rangeLabel } from '../controls/ranges.ts'
import { lastingSearch, type Search, withoutEmpty } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { STEPS, type Step } from '../format/days.ts'
import { valueLabel } from '../format/labels.ts'
import { type ExploredFigure, FIGURES } from '../pages/explore-figures.ts'
import { MENU } from './menu.ts'
import { useShown } from './navigation.tsx'
import { isFound, TERMS } from './search-terms.ts'

/** Finds pages, customers and segments by name, and metrics by a question in words. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="visually-hidden">Search</Dialog.Title>
          <Finder onDone={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Finder({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('')
  const { targets, isSearching } = useTargets(text)
  const choose = (target: Target) => {
    target.go()
    onDone()
  }
  return (
    <Autocomplete.Root
      items={targets}
      value={text}
      onValueChange={setText}
      itemToStringValue={(target: Target) => target.label}
      filter={null}
      autoHighlight="always"
      open
      inline
    >
      <Autocomplete.Input
        className="input palette-input"
        aria-label="Search pages, metrics, customers and segments"
        placeholder="Search, or ask “MRR by plan”"
      />
      <Autocomplete.Empty className="palette-empty">
        {isSearching ? 'Searching…' : 'No match. Try “mrr by country” or “churn last 6 months”.'}
      </Autocomplete.Empty>
      <Autocomplete.List className="menu-list palette-list">
        {(target: Target) => (
          <Autocomplete.Item key={target.id} value={target} className="menu-item" onClick={() => choose(target)}>
            <span>{target.label}</span>
            <span className="muted">{target.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

/** A search result. */
interface Target {
  readonly id: string
  readonly label: string
  readonly kind: string
  go(): void
}

const MOST_CUSTOMERS = 8
const LEAST_LETTERS = 2

interface Targets {
  readonly targets: readonly Target[]
  /** Whether more may still be found. */
  readonly isSearching: boolean
}

/** Pages and what is on them, segments, metrics and customers that match a text. */
function useTargets(text: string): Targets {
  const navigate = useNavigate()
  const wanted = useDeferredValue(text.trim())
  const { tenant } = useSearchState()
  const isWord = wanted.length >= LEAST_LETTERS
  const { data: segments = [], isPending: isPendingSegments } = useSegments()
  const { figures, isPending: isPendingFigures } = useFigures(wanted)
  const { data: customers = [], isLoading: isPendingCustomers } = useQuery({
    queryKey: ['palette', wanted, tenant],
    queryFn: async ({ signal }) =>
      (
        await client.get('/api/customers', {
          query: { search: wanted, limit: MOST_CUSTOMERS, ...(tenant !== undefined && { tenant: [tenant] }) },
          signal,
        })
      ).data.rows,
    enabled: isWord,
  })
  const search = (before: Search) => lastingSearch(before)
  const named = ({ label }: Target) => label.toLowerCase().includes(wanted.toLowerCase())
  const isShown = useShown()
  const pages = MENU.filter(isShown).map(({ to, label }) => ({
    id: to,
    label,
    kind: 'Page',
    go: () => void navigate({ to, search }),
  }))
  const cards = TERMS.filter((term) => isShown(term) && isFound(wanted, term.label, term.words)).map(
    ({ label, to, search: own }) => ({
      id: `card ${label}`,
      label,
      kind: MENU.find((page) => page.to === to)?.label ?? 'Page',
      go: () => void navigate({ to, search: (before: Search) => ({ ...lastingSearch(before), ...own }) }),
    }),
  )
  const saved = segments.map(({ id, name }) => ({
    id,
    label: name,
    kind: 'Segment',
    go: () => void navigate({ to: '/', search: (before: Search) => ({ ...lastingSearch(before), segment: id }) }),
  }))
  // The words are the whole question. The dates and filters of the page do not apply, only its tenant does.
  const terms = figures.map(({ label, search: state }) => ({
    id: `figure ${label}`,
    label,
    kind: 'Metric',
    go: () => void navigate({ to: '/explore', search: ({ tenant }: Search) => withoutEmpty({ tenant, ...state }) }),
  }))
  const found = customers.map(({ id, name, email, external_key }) => ({
    id,
    label: name ?? email ?? external_key ?? id,
    kind: 'Customer',
    go: () => void navigate({ to: '/customers/$id', params: { id }, search }),
  }))
  return {
    targets: [...[...pages, ...saved].filter(named), ...(isWord ? [...cards, ...terms, ...found] : [])],
    isSearching: wanted !== text.trim() || isPendingSegments || isPendingFigures || isPendingCustomers,
  }
}

function useFigures(text: string) {
  const words = readWords(text)
  const asked = figuresNamed(words)
  // A value alone, such as a country, narrows MRR.
  const [first] = FIGURES
  const isValue = asked.length === 0 && text.length >= LEAST_LETTERS && words.terms.length > 0 && first !== undefined
  const named = isValue ? [{ figure: first, left: words.terms }] : asked
  const metric = named[0]?.figure.metric
  const { data: fields, isLoading } = useFields(metric)
  const { data: known = [], isLoading: isLoadingValues } = useSegmentFields(named.length > 0)
  const figures = named.flatMap((one) => askedFigures(one, words, one.figure.metric === metric ? fields : undefined, known))
  return { figures, isPending: isLoading || isLoadingValues }
}

type Fields = components['schemas']['MetricFields']
type Known = readonly components['schemas']['SegmentField'][]
type Named = { readonly key: string; readonly label: string }

/** A metric that the words ask for, and the state of Explore that shows it. */
interface AskedFigure {
  readonly label: string
  readonly search: Search
}

const MOST_FIGURES = 4
const MOST_GROUPS = 3

/**
 * Metrics that the words name, each with the words that are left. Metrics with the fewest words left come first, then those with
 * the shortest names.
 */
function figuresNamed({ terms }: Words): readonly { readonly figure: ExploredFigure; readonly left: readonly string[] }[] {
  return FIGURES.map((figure) => ({ figure, left: terms.filter((word) => !isNamed(figure, word)) }))
    .filter(({ left }) => left.length < terms.length)
    .sort((one, other) => one.left.length - other.left.length || one.figure.label.length - other.figure.label.length)
    .slice(0, MOST_FIGURES)
}

/** The questions that the words may mean for one metric. Every word must match something. */
function askedFigures(
  { figure, left }: ReturnType<typeof figuresNamed>[number],
  { by, range, step }: Words,
  fields: Fields | undefined,
  known: Known,
): readonly AskedFigure[] {
  const { groups, rest } = groupsNamed(by, figure, fields)
  const filters = filtersNamed([...left, ...rest], fields, known)
  if (filters === undefined || (by.length > 0 && groups.length === 0)) return []
  return (by.length === 0 ? [undefined] : groups).map((group) => {
    const search = withoutEmpty({
      metric: figure.id,
      dimensions: group?.key,
      filter: filters.map(({ key, value }) => `${key}=${value}`),
      range,
      interval: step,
      view: group === undefined || step !== undefined ? undefined : 'total',
    })
    const label = group === undefined ? figure.label : `${figure.label} by ${withinSentence(group.label)}`
    const narrowing = filters.map(({ key, label, value }) => `${label}: ${valueLabel(value, key)}`)
    const days = range === undefined ? [] : [rangeLabel({ range })]
    const steps = step === undefined ? [] : [`by ${step}`]
    return { label: [label, ...narrowing, ...days, ...steps].join(' · '), search }
  })
}

function isNamed({ id, label, search }: ExploredFigure, word: string): boolean {
  return id === word || isFound(word, label, search)
}

/** Finds the dimensions and attributes that match the longest start of the words. Also returns the words after it. */
function groupsNamed(words: readonly string[], { inputs }: ExploredFigure, fields: Fields | undefined) {
  const offered = groupsOffered(fields, inputs)
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(' ')
    const groups: readonly Named[] = offered.filter(({ key, label }) => key === name || startsAWord(label, name))
    if (groups.length > 0) return { groups: groups.slice(0, MOST_GROUPS), rest: words.slice(count) }
  }
  return { groups: [], rest: words }
}

/** Filters for the words. Each word is a value, or the name of a true-or-false field. Undefined if a word matches nothing. */
function filtersNamed(words: readonly string[], fields: Fields | undefined, known: Known) {
  if (words.length === 0) return []
  const together = filterNamed(words.join(' '), fields, known)
  if (together !== undefined) return [together]
  const each = words.flatMap((word) => filterNamed(word, fields, known) ?? [])
  return each.length === words.length ? each : undefined
}

function filterNamed(text: string, fields: Fields | undefined, known: Known) {
  // A dimension comes before the field of a customer with the same values, because a page can also group by it.
  const offered = filtersOffered(fields).toSorted((one, other) => Number(one.key.includes('.')) - Number(other.key.includes('.')))
  for (const { key, label, type } of offered) {
    if (type === 'boolean' && startsAWord(label, text)) return { key, label, value: 'true' }
    const isMeant = (example: unknown) => [String(example), valueLabel(example, key)].some((word) => word.toLowerCase() === text)
    const value = known.find(({ field }) => field === key)?.examples.find(isMeant)
    if (type !== 'boolean' && value !== undefined) return { key, label, value: String(value) }
  }
  return undefined
}

function startsAWord(label: string, text: string): boolean {
  return ` ${label.toLowerCase()}`.includes(` ${text}`)
}

/** A question in words, such as “MRR by country, EUR, last 3 months”, split into parts. */
interface Words {
  /** Names of a metric, and values to filter by. */
  readonly terms: readonly string[]
  /** The words after “by”: a dimension to group by, and perhaps values to filter by. */
  readonly by: readonly string[]
  readonly range: Search['range']
  readonly step: Step | undefined
}

const RANGE_WORDS = /\b(this|last|next)[ -]+(full[ -]+)?(?:(\d{1,4})[ -]+)?(full[ -]+)?(day|week|month|quarter|year)(s?)\b/
const STEP_WORDS = new RegExp(`\\bby (${STEPS.join('|')})\\b`)
const FILLERS = new Set(['and', 'for', 'in', 'of', 'only', 'the', 'with'])

/** Splits a question into parts. Words that are neither a date range nor an interval remain. */
function readWords(text: string): Words {
  const terms = text.toLowerCase().replaceAll(/[\s,:]+/g, ' ')
  const [found = '', which, before, count, after, unit, plural] = RANGE_WORDS.exec(terms) ?? []
  const full = count === undefined || (before ?? after) === undefined ? undefined : 'full'
  const name = [which, count, full, `${unit}${plural}`].filter((part) => part !== undefined).join('-')
  const range = isRangeName(name) ? name : undefined
  const withoutRange = range === undefined ? terms : terms.replace(found, ' ')
  const [by = '', step] = STEP_WORDS.exec(withoutRange) ?? []
  const [head = '', ...tail] = withoutRange.replace(by, ' ').split(/\bby\b/)
  return { terms: wordsOf(head), by: wordsOf(tail.join(' ')), range, step: STEPS.find((one) => one === step) }
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '' && !FILLERS.has(word))
}
