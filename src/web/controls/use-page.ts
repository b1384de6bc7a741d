import { hashKey } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Query } from '../api/question.ts'
import { currencyOf, dayThrough, keyOf, useAnswerWithoutRates, zoneOf } from '../api/use-answer.ts'
import { dayIn, dayOf, type Step } from '../format/days.ts'
import { type Days, dayQuery, daysOf, levelQuery, stepOf } from './ranges.ts'
import { type CompareTo, type Search, withoutEmpty } from './search.ts'
import { type Windows, windowsOf } from './windows.ts'

const root = getRouteApi('__root__')

/** The state of the page in its address, without the panel. A panel that opens does not draw the page again. */
export function useSearchState(): Search {
  return root.useSearch({ select: withoutPanel, structuralSharing: true })
}

/** The open panel in the address, see `readPanel`. */
export function usePanelText(): string | undefined {
  return root.useSearch({ select: ({ panel }) => panel })
}

function withoutPanel({ panel: _, ...search }: Search): Omit<Search, 'panel'> {
  return search
}

/** Changes the state in the address. The browser's back button undoes the change. */
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

/** The service's current day, time zone and currency, read from a plain MRR request. The day is undefined until the answer arrives. */
export function useNow() {
  // Parts that appear with an answer need the day, too. If they asked again, their page would load without end.
  const { answer: now } = useAnswerWithoutRates(NOW, NOW_WITHOUT_RATES, { asksAgain: false })
  const zone = zoneOf(now.data)
  return {
    today: dayThrough(now.data) ?? (now.isPending ? undefined : dayIn(zone, new Date().toISOString())),
    zone,
    dataThrough: now.data?.dataThrough,
    currency: currencyOf(now.data),
    definitions: now.data?.headers.get('x-definitions') ?? undefined,
    error: now.error,
  }
}

const NOW = { path: '/api/metrics/mrr', query: {} } as const

/** Logo churn needs no exchange rate, and says the same about the service. */
const NOW_WITHOUT_RATES = { path: '/api/metrics/churn', query: { range: 'last-month' } } as const

/** Whether a request of the query cache only asks for the current day. */
export function isQuestionOfNow(key: readonly unknown[]): boolean {
  return hashKey(key) === hashKey(keyOf(NOW))
}

export interface PageState {
  readonly search: Search
  readonly days: Days
  readonly step: Step
  readonly today: string
  readonly currency: string
  /** Filters and segment, as parameters of the API. */
  readonly audience: Query
  /** Filters, segment and the compared segments. */
  readonly compared: Query
  /** The date range, as parameters of the API. */
  readonly range: Query
  /** The day of a level, such as current MRR, as parameters of the API. */
  readonly level: Query
  /** The period to compare with. */
  readonly compareTo: CompareTo | undefined
  /** The days of levels, rates and everything else. */
  readonly windows: Windows
  /** The dimension to group by. */
  readonly group: string | undefined
}

/** The parameters that all questions of a page share. */
export function usePage(): PageState {
  const search = useSearchState()
  const { today = dayOf(new Date()), currency } = useNow()
  return pageOf(search, today, currency)
}

/** The filters with one for the tenant. The tenant narrows further if a filter names tenants too. */
export function withTenant(filter: readonly string[] = [], tenant: string | undefined): readonly string[] | undefined {
  if (tenant === undefined) return filter.length === 0 ? undefined : filter
  return [...filter.filter((entry) => !entry.startsWith('tenant=')), `tenant=${tenant}`]
}

/** The parameters for any state, such as the state of a saved chart. */
export function pageOf(search: Search, today: string, currency: string): PageState {
  const audience = { filter: withTenant(search.filter, search.tenant), segment: search.segment }
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
    compareTo: search.compare_to,
    windows: windowsOf(search, today),
    group: search.dimensions,
  }
}
