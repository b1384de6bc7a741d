import { daysBefore } from '../../../core/periods.ts'
import type { Answer } from '../../../engine/engine.ts'
import { windowText } from '../cells.ts'
import { unitsOfColumns } from '../table.ts'
import type { Figure, Part } from './briefing.ts'

type Figures = Readonly<Record<string, unknown>>

/** A window of the summary in words. */
const DAYS_OF: Readonly<Record<string, (figures: Figures) => string>> = {
  level: (figures) => `at the end of ${String(figures['as_of'])}`,
  year: (figures) => windowText(figures['year_window']),
  month: (figures) => windowText(figures['month_window']),
  rate: (figures) => windowText(figures['rate_window']),
  trailing: (figures) => windowText(figures['trailing_window']),
}

/** Windows whose figures can be compared with those of an earlier day. The others are parts of months. */
const COMPARED: readonly string[] = ['level', 'year']

/** The block with figures at the end of the days, each with its change since the day before them. */
export function figuresPart(titleOf: (end: string) => string, names: readonly string[]): Part {
  return {
    title: 'Figures',
    async ask({ engine, days: { start, end }, options, seen }) {
      const answer = seen(await engine.summary({ end }, {}, options))
      const earlier = seen(await engine.summary({ end: daysBefore(start, 1) }, {}, options))
      return { kind: 'figures', title: titleOf(end), page: `?end=${end}`, figures: summaryFigures(answer, names, earlier) }
    },
  }
}

/** Chosen figures of a summary. Those of a day have the change since the earlier summary, in their own unit. */
export function summaryFigures(answer: Answer, names: readonly string[], earlier?: Answer): readonly Figure[] {
  const figures = answer.data as Figures
  const before = earlier?.data as Figures | undefined
  const units = unitsOfColumns(answer)
  return answer.meta.fields
    .filter(({ name }) => names.includes(name))
    .toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
    .map(({ name, label, window = 'level' }) => {
      const [value, was] = [numberOf(figures[name]), numberOf(before?.[name])]
      const days = DAYS_OF[window]?.(figures) ?? ''
      const isCompared = COMPARED.includes(window) && value !== null && was !== null
      const change = isCompared ? Number((value - was).toFixed(6)) : undefined
      return { title: label, value, unit: units.get(name) ?? 'count', days, ...(change !== undefined && { change }) }
    })
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
