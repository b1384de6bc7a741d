import { goalFor } from '../../../core/goal.ts'
import { daysBefore } from '../../../core/periods.ts'
import type { Answer } from '../../../engine/engine.ts'
import { windowText } from '../cells.ts'
import { besideGoal, goalsOf, remarksOn, subjectsOf } from '../remarks.ts'
import { unitsOfColumns } from '../table.ts'
import type { Asking, Days, Figure, Part } from './briefing.ts'

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

/** The days of a window of the summary, if a goal may be compared with it. */
const GOAL_DAYS: Readonly<Record<string, (figures: Figures) => unknown>> = {
  level: ({ as_of }) => ({ start: as_of, end: as_of }),
  rate: ({ rate_window }) => rate_window,
  trailing: ({ trailing_window }) => trailing_window,
}

/** The goal of a figure with this name, value and days. */
type GoalOf = (name: string, value: number, days: Days) => Figure['goal']

/** The block with figures at the end of the days, each with its change since the day before them, and with its goal. */
export function figuresPart(titleOf: (end: string) => string, names: readonly string[]): Part {
  return {
    title: 'Figures',
    async ask(asking) {
      const { engine, options, seen } = asking
      const { start, end } = asking.days
      const answer = seen(await engine.summary({ end }, {}, options))
      const earlier = seen(await engine.summary({ end: daysBefore(start, 1) }, {}, options))
      const figures = summaryFigures(answer, names, earlier, await goalsFor(asking))
      return { kind: 'figures', title: titleOf(end), page: `?end=${end}`, figures }
    },
  }
}

/** The goals of the company. A goal that cannot be compared becomes a warning. */
async function goalsFor({ engine, days, today, warn }: Asking): Promise<GoalOf> {
  const { goals, warnings } = await remarksOn(engine, days)
  for (const warning of warnings) warn(warning)
  const subjects = subjectsOf(engine)
  return (name, value, figureDays) => {
    const subject = subjects.find(({ names }) => names.includes(name))
    if (subject === undefined) return undefined
    const own = goalsOf(goals, subject)
    const unfit = goalFor(own, figureDays, subject.is_level, today)?.goal
    for (const reason of unfit?.warnings ?? []) warn(`${subject.label}, ${unfit?.period}: ${reason}`)
    return besideGoal(value, own, subject, figureDays, today)
  }
}

/** Chosen figures of a summary. Those of a day have the change since the earlier summary, in their own unit. */
export function summaryFigures(
  answer: Answer,
  names: readonly string[],
  earlier?: Answer,
  goalOf: GoalOf = () => undefined,
): readonly Figure[] {
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
      const goalDays = GOAL_DAYS[window]?.(figures) as Days | undefined
      const goal = value === null || goalDays === undefined ? undefined : goalOf(name, value, goalDays)
      const compared = { ...(change !== undefined && { change }), ...(goal !== undefined && { goal }) }
      return { title: label, value, unit: units.get(name) ?? 'count', days, ...compared }
    })
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
