import { formatValue } from '../format/numbers.ts'
import type { ChartSpec } from './spec.ts'

/**
 * Content of the tooltip. Built from DOM nodes, because names could contain markup, and the Content-Security-Policy forbids
 * inline styles.
 */
export function tooltipOf(spec: ChartSpec, place: number, colour: (name: string) => string): HTMLElement {
  const { labels, series, unit, currency, kind } = spec
  const rows =
    kind === 'waterfall'
      ? series.slice(place, place + 1)
      : series.filter(({ values, isFaint }) => values[place] !== null && isFaint !== true)
  const box = element('div', 'chart-tooltip-box')
  const ghosts: HTMLElement[] = []
  box.append(element('strong', '', `${labels[place] ?? ''}${standingOf(spec, place)}`))
  for (const { name, values, colour: own } of rows) {
    const value = values[place]
    const row = element('div', 'chart-tooltip-row')
    const swatch = element('span', 'swatch')
    swatch.style.background = colour(own)
    const amount = value === null || value === undefined ? '–' : formatValue(value, unit, { currency })
    row.append(swatch, element('span', 'chart-tooltip-name', name), element('span', 'figure', amount))
    box.append(row)
  }
  for (const { name, values, colour: own } of spec.ghosts ?? []) {
    const value = values[place]
    const row = element('div', 'chart-tooltip-row is-ghost')
    const swatch = element('span', 'swatch is-ghost')
    swatch.style.color = colour(own)
    const when = spec.ghostLabels?.[place]
    const amount = value === null || value === undefined ? '–' : formatValue(value, unit, { currency })
    const told = when === undefined ? name : spec.ghosts?.length === 1 ? when : `${name.split(',')[0]}, ${when}`
    row.append(swatch, element('span', 'chart-tooltip-name', told), element('span', 'figure', amount))
    ghosts.push(row)
  }
  // A line over bars is their total already.
  if (rows.length > 1 && (kind === 'area' || kind === 'bars') && rows.every(({ isLine }) => isLine !== true)) {
    const sum = rows.reduce((total, { values }) => total + (values[place] ?? 0), 0)
    const row = element('div', 'chart-tooltip-row is-total')
    row.append(element('span', 'chart-tooltip-name', 'Total'), element('span', 'figure', formatValue(sum, unit, { currency })))
    box.append(row)
  }
  box.append(...ghosts)
  const goal = spec.goal?.values[place]
  if (goal !== null && goal !== undefined) {
    const row = element('div', 'chart-tooltip-row is-ghost')
    const swatch = element('span', 'swatch is-goal')
    row.append(
      swatch,
      element('span', 'chart-tooltip-name', 'Goal'),
      element('span', 'figure', formatValue(goal, unit, { currency })),
    )
    box.append(row)
  }
  for (const { number, text } of spec.notes?.filter((note) => note.place === place) ?? [])
    box.append(element('div', 'chart-tooltip-note', `${number}  ${text}`))
  return box
}

/** The end of a period's name if the period is not over. */
function standingOf({ openFrom, isForecast = false }: ChartSpec, place: number): string {
  if (openFrom === undefined || place < openFrom) return ''
  return isForecast ? ' (forecast)' : ' (in progress)'
}

function element(name: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  if (text !== undefined) made.textContent = text
  return made
}
