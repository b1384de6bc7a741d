import { useMay } from '../auth/who.ts'
import { Page } from '../parts/page.tsx'
import { AboutCard } from '../settings/about.tsx'
import { AttributesCard } from '../settings/attributes.tsx'
import { ReadinessCard } from '../settings/readiness.tsx'
import { SourcesCard } from '../settings/sources.tsx'

/** What the service reads and depends on, and what can be set without its configuration file. */
export function Settings() {
  const mayRead = useMay('read')
  return (
    <Page title="Settings" lead="What figures are read from, what is known of customers, and how the service is.">
      {mayRead && <SourcesCard />}
      {mayRead && <AttributesCard />}
      <div className="columns">
        <ReadinessCard />
        <AboutCard />
      </div>
    </Page>
  )
}
