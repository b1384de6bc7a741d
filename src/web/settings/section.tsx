import { type ReactNode, useEffect, useRef } from 'react'

/** A card of the settings. An address with `#` and the card's id scrolls to the card. */
export function Section({
  id,
  title,
  lead,
  tools,
  children,
}: {
  id?: string
  title: string
  lead?: ReactNode
  tools?: ReactNode
  children: ReactNode
}) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (id !== undefined && location.hash === `#${id}`) place.current?.scrollIntoView()
  }, [id])
  return (
    <section ref={place} id={id} className="card settings-section" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {tools}
      </header>
      {lead !== undefined && <p className="muted">{lead}</p>}
      {children}
    </section>
  )
}
