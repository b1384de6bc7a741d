import { dayAfter, dayOf, dayStart } from '../core/periods.ts'

/** Years after today that a forecast may reach. */
const FORECAST_YEARS = 5

/** Last instant that a forecast knows (D80): the end of the same day, five years later. A forecast of any day knows everything up to it. */
export function horizonOf(now: Date): Date {
  const last = dayStart(dayOf(now))
  last.setUTCFullYear(last.getUTCFullYear() + FORECAST_YEARS)
  return new Date(dayAfter(dayOf(last)).getTime() - 1000)
}

/** The message about a day that no forecast reaches. */
export function beyondHorizon(until: Date): string {
  return `A forecast goes up to ${dayOf(until)}, five years after today.`
}

/** The queries that have a forecast, as the end of a sentence. */
const OFFER = 'current, series, components, arr, breakdown and waterfall of mrr have one, and the summary has figures of it'

/** Message for a query without a forecast. */
export const NO_FORECAST = `"forecast" does not work on this query: ${OFFER}.`

/** Message for a range of days to come without a forecast. */
export const ONLY_FORECAST = `Days after today are known only as a forecast: add forecast=true. Of the metrics, ${OFFER}.`

/** Message for a range of days to come on figures of one day or range, whose days end today also in a forecast. */
export const DAYS_END_TODAY =
  'The days of the summary end today, also with forecast=true: leave out the range. mrr and its other queries have forecasts of days to come.'

/** The assumptions of a forecast (D80). */
export function forecastSentence(today: string): string {
  return `After ${today}, only what the billing database already states counts: scheduled changes, cancellations and pauses, phases, ends of fixed terms, and price dates. Usage stays at its last value. Exchange rates are the newest known.`
}
