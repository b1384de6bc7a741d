import type { components } from '../../client/index.ts'
import { filtersOffered, groupsOffered } from '../api/resources.ts'
import { rangeLabel } from '../controls/ranges.ts'
import { type Search, withoutGaps } from '../controls/search.ts'
import { valueLabel } from '../format/labels.ts'
import { type ExploredFigure, FIGURES } from '../pages/explore-figures.ts'
import type { Words } from './read-words.ts'

type Fields = components['schemas']['MetricFields']
type Known = readonly components['schemas']['SegmentField'][]
type Named = { readonly key: string; readonly label: string }

/** A figure that was asked for in words, and the state of Explore that shows it. */
export interface AskedFigure {
  readonly label: string
  readonly search: Search
}

const MOST_FIGURES = 4
const MOST_GROUPS = 3

/** Figures that a word is about, those with the shortest names first; the other words are left. */
export function figuresNamed({ asked }: Words): readonly { readonly figure: ExploredFigure; readonly left: readonly string[] }[] {
  return FIGURES.map((figure) => ({ figure, left: asked.filter((word) => !isNamed(figure, word)) }))
    .filter(({ left }) => left.length < asked.length)
    .sort((one, other) => one.left.length - other.left.length || one.figure.label.length - other.figure.label.length)
    .slice(0, MOST_FIGURES)
}

/** What the words may mean of one figure: every one of them must name something. */
export function askedFigures(
  { figure, left }: ReturnType<typeof figuresNamed>[number],
  { by, range, step }: Words,
  fields: Fields | undefined,
  known: Known,
): readonly AskedFigure[] {
  const { groups, rest } = groupsNamed(by, figure, fields)
  const filters = filtersNamed([...left, ...rest], fields, known)
  if (filters === undefined || (by.length > 0 && groups.length === 0)) return []
  return (by.length === 0 ? [undefined] : groups).map((group) => {
    const search = withoutGaps({
      metric: figure.id,
      dimensions: group?.key,
      filter: filters.map(({ key, value }) => `${key}=${value}`),
      range,
      interval: step,
      view: group === undefined || step !== undefined ? undefined : 'total',
    })
    const told = group === undefined ? figure.label : `${figure.label} by ${withinSentence(group.label)}`
    const narrowed = filters.map(({ label, value }) => `${label}: ${valueLabel(value)}`)
    const days = range === undefined ? [] : [rangeLabel({ range })]
    const steps = step === undefined ? [] : [`by ${step}`]
    return { label: [told, ...narrowed, ...days, ...steps].join(' · '), search }
  })
}

function isNamed({ id, label }: ExploredFigure, word: string): boolean {
  return startsAWord(label, word) || id === word
}

/** Dimensions and attributes with the longest name that the words begin with, and the words behind it. */
function groupsNamed(words: readonly string[], { inputs }: ExploredFigure, fields: Fields | undefined) {
  const offered = groupsOffered(fields, inputs)
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(' ')
    const groups: readonly Named[] = offered.filter(({ key, label }) => key === name || startsAWord(label, name))
    if (groups.length > 0) return { groups: groups.slice(0, MOST_GROUPS), rest: words.slice(count) }
  }
  return { groups: [], rest: words }
}

/** Filters whose value, or name where they are true or false, the words are; undefined where they are none. */
function filtersNamed(words: readonly string[], fields: Fields | undefined, known: Known) {
  if (words.length === 0) return []
  const together = filterNamed(words.join(' '), fields, known)
  if (together !== undefined) return [together]
  const each = words.flatMap((word) => filterNamed(word, fields, known) ?? [])
  return each.length === words.length ? each : undefined
}

function filterNamed(text: string, fields: Fields | undefined, known: Known) {
  for (const { key, label, type } of filtersOffered(fields)) {
    if (type === 'boolean' && startsAWord(label, text)) return { key, label, value: 'true' }
    const value = known.find(({ field }) => field === key)?.examples.find((example) => String(example).toLowerCase() === text)
    if (type !== 'boolean' && value !== undefined) return { key, label, value: String(value) }
  }
  return undefined
}

/** A label without its capital, but for acronyms: “Country” becomes “country”, “MRR band” stays. */
function withinSentence(label: string): string {
  return /^[A-Z][a-z ]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}

function startsAWord(label: string, text: string): boolean {
  return ` ${label.toLowerCase()}`.includes(` ${text}`)
}
