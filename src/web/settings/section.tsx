import type { ReactNode } from 'react'

/** A part of the settings, with what can be done beside its title. */
export function Section({
  title,
  lead,
  tools,
  children,
}: {
  title: string
  lead?: ReactNode
  tools?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="card settings-section" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {tools}
      </header>
      {lead !== undefined && <p className="muted">{lead}</p>}
      {children}
    </section>
  )
}
