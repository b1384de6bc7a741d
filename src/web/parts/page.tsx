import { type ReactNode, useEffect } from 'react'
import { ControlBar, type Controls } from '../controls/control-bar.tsx'
import { TenantMenu, UnknownTenant } from '../controls/tenant-menu.tsx'
import { MissingRatesNotice } from '../settings/missing-rates.tsx'

interface PageProps {
  readonly title: string
  /** One sentence about the page. */
  readonly lead?: ReactNode
  readonly controls?: Controls
  readonly actions?: ReactNode
  /** Whether the figures of the page follow the chosen tenant. */
  readonly isOfTenant?: boolean
  /** Whether the page has a card about missing exchange rates already. */
  readonly showsRates?: boolean
  readonly children: ReactNode
}

/** A page: title, controls, cards. */
export function Page({ title, lead, controls, actions, isOfTenant = true, showsRates = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Plumbline`
  }, [title])
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
        {isOfTenant ? <UnknownTenant>{children}</UnknownTenant> : children}
      </div>
    </>
  )
}
