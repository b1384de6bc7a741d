import { type ReactNode, useEffect, useRef, useState } from 'react'

interface ScrollAreaProps {
  /** Name of the content, for screen readers. */
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}

/** Content that may be wider than its place. It then scrolls, keeps its first column, and says that there is more. */
export function ScrollArea({ label, className = '', children }: ScrollAreaProps) {
  const area = useRef<HTMLElement>(null)
  const [isWide, setWide] = useState(false)
  const [hasMore, setMore] = useState(false)
  useEffect(() => {
    const { current: element } = area
    if (element === null) return
    const measure = () => {
      const { scrollWidth, clientWidth, scrollLeft } = element
      setWide(scrollWidth > clientWidth + 1)
      setMore(scrollLeft + clientWidth < scrollWidth - 1)
    }
    const observer = new ResizeObserver(measure)
    for (const one of [element, ...element.children]) observer.observe(one)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  return (
    <div className="scroll-frame" data-wide={isWide} data-more={hasMore}>
      {isWide && (
        <p className="scroll-hint" aria-hidden="true">
          {hasMore ? 'Scroll for more columns →' : '← Scroll back'}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={area} className={`table-scroll ${className}`.trim()} aria-label={label} tabIndex={0}>
        {children}
      </section>
    </div>
  )
}
