import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useUnsupported } from '../api/resources.ts'
import { useAnswer } from '../api/use-answer.ts'
import { needsOf } from '../app/menu.ts'
import { ControlBar, type Controls } from '../controls/control-bar.tsx'
import { isAhead, refusedState } from '../controls/ranges.ts'
import { TenantMenu, UnknownTenant } from '../controls/tenant-menu.tsx'
import { useChangeSearch, useSearchState } from '../controls/use-page.ts'
import { MissingRatesNotice } from '../settings/missing-rates.tsx'
import { Problem } from './problem.tsx'
import { Empty, NoForecast, Skeleton } from './states.tsx'
import { PageWarnings } from './warnings.tsx'

interface PageProps {
  readonly title: string
  /** One sentence about the page. */
  readonly lead?: ReactNode
  readonly controls?: Controls
  readonly actions?: ReactNode
  /** Whether the figures of the page follow the chosen tenant. */
  readonly isOfTenant?: boolean
  /** Whether the page has figures of a range after today. */
  readonly hasForecast?: boolean
  /** Whether the page has a card about missing exchange rates already. */
  readonly showsRates?: boolean
  readonly children: ReactNode
}

/** A page: title, controls, cards. */
export function Page(props: PageProps) {
  const { title, lead, controls, actions, isOfTenant = true, hasForecast = false, showsRates = false, children } = props
  const search = useSearchState()
  useEffect(() => {
    document.title = `${title} · Plumbline`
  }, [title])
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId ?? '' })
  const isUnsupplied = useUnsupported().includes(needsOf(path) ?? '')
  const isUnknown = controls !== undefined && controls.hasRange !== false && isAhead(search) && !hasForecast
  const cards = controls === undefined ? children : <Accepted>{isUnknown ? <NoForecast /> : children}</Accepted>
  if (isUnsupplied)
    return (
      <>
        <div className="page-head">
          <h1>{title}</h1>
        </div>
        <Empty>Not available from this data source.</Empty>
      </>
    )
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className="lead">{lead}</p>}
        </div>
        <div className="page-actions">
          {actions}
          {isOfTenant && <TenantMenu />}
        </div>
      </div>
      {controls !== undefined && <ControlBar {...controls} />}
      <div className="page-body">
        {!showsRates && <MissingRatesNotice />}
        <PageWarnings isForecast={controls === undefined || isAhead(search) || (hasForecast && controls.hasRange === false)} />
        {isOfTenant ? <UnknownTenant>{cards}</UnknownTenant> : cards}
      </div>
    </>
  )
}

const HEIGHT = 320

/** The cards of a page. If the API refuses the dates, interval or filters of the address, its refusal and a way out instead. */
function Accepted({ children }: { children: ReactNode }) {
  const search = useSearchState()
  const change = useChangeSearch()
  const refused = refusedState(search)
  const { error, isPending } = useAnswer(refused && { path: '/api/metrics/mrr', query: refused })
  if (refused === undefined) return children
  if (isPending) return <Skeleton height={HEIGHT} />
  if (error === null) return children
  const reset = () => {
    const filter = search.filter?.filter((entry) => entry.includes('='))
    change({ range: undefined, start: undefined, end: undefined, interval: undefined, filter })
  }
  return (
    <>
      <Problem error={error} />
      <p>
        <button type="button" className="button is-main" onClick={reset}>
          Show the last 12 months
        </button>
      </p>
    </>
  )
}
