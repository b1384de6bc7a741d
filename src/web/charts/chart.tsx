import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import { useTheme } from '../app/theme.ts'
import { formatValue } from '../format/numbers.ts'
import type { Drawn } from './draw.ts'
import { type ChartSpec, summaryOf } from './spec.ts'

/** Actions on a displayed chart. */
export interface ChartHandle {
  png(): Promise<Blob | null>
}

/** A chart with a text for screen readers. The chart library is loaded with the first chart. */
export function Chart({ spec, label, handle }: { spec: ChartSpec; label: string; handle: RefObject<ChartHandle | null> }) {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn>(undefined)
  const latest = useRef(spec)
  const { theme } = useTheme()
  latest.current = spec

  useEffect(() => {
    let isGone = false
    void import('./draw.ts').then(({ draw }) => {
      if (isGone || place.current === null) return
      drawn.current = draw(place.current)
      drawn.current.show(latest.current)
    })
    return () => {
      isGone = true
      drawn.current?.dispose()
      drawn.current = undefined
    }
  }, [])

  // Redraw when the theme changes the colours.
  useEffect(() => drawn.current?.show(spec), [spec, theme])

  useImperativeHandle(handle, () => ({ png: async () => (await drawn.current?.png()) ?? null }), [])

  const text = summaryOf(spec, (value) => formatValue(value, spec.unit, { currency: spec.currency }))
  return (
    <figure className="chart">
      <div ref={place} className="chart-place" role="img" aria-label={`${label}. ${text}`} />
      {spec.series.length > 1 && spec.kind !== 'waterfall' && <Legend spec={spec} />}
    </figure>
  )
}

function Legend({ spec }: { spec: ChartSpec }) {
  return (
    <ul className="legend">
      {spec.series.map(({ name, raw, colour }) => (
        <li key={name} title={raw}>
          <span className="swatch" style={{ background: `var(--${colour})` }} />
          {name}
        </li>
      ))}
      {spec.undrawn !== undefined && spec.undrawn > 0 && <li>{spec.undrawn} more in the table</li>}
    </ul>
  )
}
