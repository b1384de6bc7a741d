import { type Dice, later } from '../data/histories/seeded-dice.ts'

const DAY = 86_400

/** A question about the time up to `now`, drawn by chance, to whole answers of every metric and list; some name one of the segments. */
export function requestPath(draw: Dice, now: string, segments: readonly string[]): string {
  const end = now.slice(0, 10)
  const start = later(now, -draw.pick([10, 40, 120, 200]) * DAY).slice(0, 10)
  const range = `start=${start}&end=${end}`
  const by = (...dimensions: readonly string[]) => draw.pick(['', ...dimensions.map((dimension) => `&dimensions=${dimension}`)])
  return draw.pick([
    () =>
      `/api/metrics/mrr?at=${end}${by('plan_id', 'currency', 'customer_id', 'mrr_band', 'cohort_month', 'pending_cancellation', 'collection_method')}`,
    () => `/api/metrics/mrr?${range}&interval=month${by('currency', 'movement_source')}`,
    () => `/api/metrics/mrr/breakdown?${range}${by('customer_id', 'plan_id', 'movement_source')}`,
    () => `/api/metrics/mrr/waterfall?${range}&interval=month`,
    () => `/api/metrics/churn?type=logo&${range}${by('customer_country', 'churn_type', 'cancel_reason')}`,
    () => `/api/metrics/churn?type=revenue&${range}${by('cancel_reason', 'plan_id')}`,
    () => `/api/metrics/retention?query_type=nrr&${range}`,
    () => `/api/metrics/retention?query_type=cohort_matrix&${range}`,
    () => `/api/metrics/ltv/cohort?${range}`,
    () => `/api/metrics/trials?${range}${by('plan_id', 'customer_id')}`,
    () => `/api/metrics/usage-revenue?${range}${by('customer_id', 'plan_id')}`,
    () => `/api/metrics/summary?end=${end}`,
    () => `/api/metrics/mrr?at=${end}&segment=${segments[0]}`,
    () => `/api/metrics/churn?type=logo&${range}&${segments.map((id) => `compare_segments=${id}`).join('&')}`,
    () => `/api/customers?limit=1000${draw.pick(['', `&segment=${segments[1]}`])}`,
    () => `/api/subscriptions?limit=1000`,
  ])()
}
