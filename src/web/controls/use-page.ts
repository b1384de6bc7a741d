import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Query } from '../api/question.ts'
import { currencyOf, useAnswer } from '../api/use-answer.ts'
import { dayOf, type Step } from '../format/days.ts'
import { type Days, dayQuery, daysOf, levelQuery, stepOf } from './ranges.ts'
import { type Search, withoutEmpty } from './search.ts'

const root = getRouteApi('__root__')

/** The state of the page as its address has it. */
export function useSearchState(): Search {
  return root.useSearch()
}

/** Changes the state: the address follows, and going back undoes it. */
export function useChangeSearch(): (change: Search, options?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (change, options = {}) => {
      void navigate({
        to: '.',
        search: (before: Search) => withoutEmpty({ ...before, ...change }),
        replace: options.replace ?? false,
      })
    },
    [navigate],
  )
}

/** The service's own today and currency; the call is the plain figure of MRR. Undefined until it is known. */
export function useNow() {
  const now = useAnswer(NOW)
  return {
    today: (now.data?.dataThrough ?? (now.isPending ? undefined : new Date().toISOString()))?.slice(0, 10),
    dataThrough: now.data?.dataThrough,
    currency: currencyOf(now.data),
    definitions: now.data?.headers.get('x-definitions') ?? undefined,
    error: now.error,
  }
}

const NOW = { path: '/api/metrics/mrr', query: {} } as const

export interface PageState {
  readonly search: Search
  readonly days: Days
  readonly step: Step
  readonly today: string
  readonly currency: string
  /** Whom the page is about: filters and segment, as the API takes them. */
  readonly audience: Query
  /** The same with the segments compared. */
  readonly compared: Query
  /** The days, as the API takes them. */
  readonly range: Query
  /** When a level is asked for. */
  readonly level: Query
  /** What the page groups by, where it does. */
  readonly group: string | undefined
}

/** What every question of a page is made of. */
export function usePage(): PageState {
  const search = useSearchState()
  const { today = dayOf(new Date()), currency } = useNow()
  return pageOf(search, today, currency)
}

/** The same of any state, such as one that was saved. */
export function pageOf(search: Search, today: string, currency: string): PageState {
  const audience = { filter: search.filter, segment: search.segment }
  return {
    search,
    days: daysOf(search, today),
    step: stepOf(search, today),
    today,
    currency,
    audience,
    compared: { ...audience, compare_segments: search.compare_segments },
    range: { ...dayQuery(search) },
    level: { ...levelQuery(search, today) },
    group: search.dimensions,
  }
}
