import { useMay, useSignInConfig } from '../auth/who.ts'
import { Page } from '../parts/page.tsx'
import { AboutCard } from '../settings/about.tsx'
import { AttributesCard } from '../settings/attributes.tsx'
import { AuditCard } from '../settings/audit.tsx'
import { KeysCard } from '../settings/keys.tsx'
import { RatesCard } from '../settings/rates.tsx'
import { ReadinessCard } from '../settings/readiness.tsx'
import { SourcesCard } from '../settings/sources.tsx'

/** What the service reads and depends on, and what can be set without its configuration file. */
export function Settings() {
  const mayRead = useMay('read')
  const isAdmin = useMay('admin')
  const { data: signIn } = useSignInConfig()
  // Where nobody signs in a key opens nothing.
  const hasKeys = isAdmin && signIn?.auth_enabled === true
  return (
    <Page title="Settings" lead="Data sources, customer attributes, exchange rates and service status.">
      {mayRead && <SourcesCard />}
      {mayRead && <AttributesCard />}
      {mayRead && <RatesCard />}
      {hasKeys && <KeysCard />}
      {hasKeys && <AuditCard />}
      <div className="columns">
        <ReadinessCard />
        <AboutCard />
      </div>
    </Page>
  )
}
