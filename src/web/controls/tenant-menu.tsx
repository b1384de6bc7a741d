import type { ReactNode } from 'react'
import { useTenants } from '../api/resources.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { useChangeSearch, useSearchState } from './use-page.ts'

const ALL = ''

/** Chooses a tenant or all of them, for every page. Nothing if the service has one tenant. */
export function TenantMenu() {
  const { tenant = ALL } = useSearchState()
  const { data = [] } = useTenants()
  const change = useChangeSearch()
  const isKnown = data.some(({ name }) => name === tenant)
  if (data.length < 2 && (tenant === ALL || isKnown)) return null
  // A link can name a tenant that is not served any more. It stays visible, so that the user can leave it.
  const names = [...data.map(({ name }) => name), ...(tenant === ALL || isKnown ? [] : [tenant])]
  return (
    <ChoiceMenu
      label="Tenant"
      value={tenant}
      choices={[{ value: ALL, label: 'All tenants' }, ...names.map((name) => ({ value: name, label: name }))]}
      onChoose={(name) => change({ tenant: name === ALL ? undefined : name, offset: undefined, panel: undefined })}
    />
  )
}

/** One sentence in place of the figures, if the address names a tenant that the service does not have. */
export function UnknownTenant({ children }: { readonly children: ReactNode }) {
  const { tenant } = useSearchState()
  const { data } = useTenants()
  const change = useChangeSearch()
  if (tenant === undefined || data === undefined || data.some(({ name }) => name === tenant)) return children
  return (
    <p className="notice">
      There is no tenant “{tenant}”.{' '}
      <button type="button" className="link-button" onClick={() => change({ tenant: undefined })}>
        Show all tenants
      </button>
    </p>
  )
}

/** True if the service has several tenants, so that rows say whose they are. */
export function useHasTenants(): boolean {
  return (useTenants().data ?? []).length > 1
}
