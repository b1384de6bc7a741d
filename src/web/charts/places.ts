import { isOpen, lastDayOf, periodLabels, type Step } from '../format/days.ts'
import type { ChartSpec } from './spec.ts'

/** How a chart says that its lighter part is a forecast. */
const NOTE = 'Lighter and dashed: forecast'

/** The periods of a chart: their labels, and the first one that is not over. `periods` are sorted first days. */
export function placesOf(
  periods: readonly string[],
  step: Step,
  { dayThrough, isForecast = false }: { readonly dayThrough: string | undefined; readonly isForecast?: boolean },
): Pick<ChartSpec, 'labels' | 'days' | 'openFrom' | 'isForecast' | 'note'> {
  const at = periods.findIndex((period) => isOpen(period, step, dayThrough))
  return {
    // A forecast counts the running period to its end.
    labels: periodLabels(periods, step, isForecast ? undefined : dayThrough),
    days: periods.map((period) => ({ start: period, end: lastDayOf(period, step) })),
    ...(at < 0 ? {} : { openFrom: at }),
    ...(isForecast ? { isForecast, note: NOTE } : {}),
  }
}

/** Whether rows count what lies after now. */
export function areForecast(rows: readonly Readonly<Record<string, unknown>>[]): boolean {
  return rows.some((row) => row['is_forecast'] === true)
}
