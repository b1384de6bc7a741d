import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import { useTheme } from '../app/theme.ts'
import { useChoices } from '../controls/choices.ts'
import { useNow } from '../controls/use-page.ts'
import { formatInstant } from '../format/days.ts'
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

  // Paper is white, so the theme is light while the browser prints. It does not wait for an animation.
  useEffect(() => {
    const redraw = () => drawn.current?.show(latest.current, true)
    addEventListener('beforeprint', redraw)
    addEventListener('afterprint', redraw)
    return () => {
      removeEventListener('beforeprint', redraw)
      removeEventListener('afterprint', redraw)
    }
  }, [])

  const subtitle = useChoices()
  const { dataThrough, definitions } = useNow()
  const footer = [
    spec.currency === '' ? undefined : `Amounts in ${spec.currency}`,
    dataThrough === undefined ? undefined : `Data through ${formatInstant(dataThrough)}`,
    definitions === undefined ? undefined : `Definitions ${definitions}`,
    'Plumbline',
  ]
  const frame = { title: label, subtitle, footer: footer.filter((part) => part !== undefined).join(' · ') }
  useImperativeHandle(handle, () => ({ png: async () => (await drawn.current?.png(frame)) ?? null }))

  const text = summaryOf(spec, (value) => formatValue(value, spec.unit, { currency: spec.currency }))
  return (
    <figure className="chart">
      <div ref={place} className="chart-place" role="img" aria-label={`${label}. ${text}`} />
      {hasLegend(spec) && <Legend spec={spec} />}
    </figure>
  )
}

/** One series needs no legend: the title of its card names it. A waterfall names its bars on the axis. */
function hasLegend({ series, kind, ghosts = [], goal, note }: ChartSpec): boolean {
  return ghosts.length > 0 || goal !== undefined || note !== undefined || (series.length > 1 && kind !== 'waterfall')
}

function Legend({ spec }: { spec: ChartSpec }) {
  const faint = spec.series.filter(({ isFaint }) => isFaint === true)
  const isNamed =
    spec.kind !== 'waterfall' && (spec.series.length > 1 || (spec.ghosts?.length ?? 0) > 0 || spec.goal !== undefined)
  const named = isNamed ? spec.series.filter(({ isFaint }) => isFaint !== true) : []
  return (
    <ul className="legend">
      {named.map(({ name, raw, colour }) => (
        <li key={name} title={raw}>
          <span className="swatch" style={{ background: `var(--${colour})` }} />
          {name}
        </li>
      ))}
      {spec.ghosts?.map(({ name, colour }) => (
        <li key={name}>
          <span className="swatch is-ghost" style={{ color: `var(--${colour})` }} />
          {name}
        </li>
      ))}
      {spec.goal !== undefined && (
        <li>
          <span className="swatch is-goal" />
          {spec.goal.name}
        </li>
      )}
      {spec.note !== undefined && <li>{spec.note}</li>}
      {faint[0] !== undefined && (
        <li>
          <span className="swatch" style={{ background: `var(--${faint[0].colour})` }} />
          {faint.length} more, in grey
        </li>
      )}
      {spec.undrawn !== undefined && spec.undrawn > 0 && <li>{spec.undrawn} more in the table</li>}
    </ul>
  )
}
