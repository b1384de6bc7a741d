import { PlumblineError } from '../../client/index.ts'
import { useFields } from '../api/resources.ts'
import { labelOfField } from '../format/labels.ts'

const UNKNOWN = 'unknown_filter'

/** A filter that other metrics take, with its name on the page. */
export interface UnfitFilter {
  readonly key: string
  readonly label: string
}

interface UnfitFilters {
  /** Whether the page still asks if the filters exist. */
  readonly isPending: boolean
  /** Empty if the error has another cause. */
  readonly filters: readonly UnfitFilter[]
}

const NONE: UnfitFilters = { isPending: false, filters: [] }

/** The filters that exist, but do not apply to the metric that refused them. A filter that no metric has is a real error. */
export function useUnfitFilters(error: unknown): UnfitFilters {
  const issues = error instanceof PlumblineError && error.code === UNKNOWN ? error.issues : []
  const isRefused = issues.length > 0 && issues.every(({ code, where }) => code === UNKNOWN && where === 'query.filter')
  // Together these metrics have all filters of customers, subscriptions, movements, cancellations and charges.
  const mrr = useFields(isRefused ? 'mrr' : undefined)
  const churn = useFields(isRefused ? 'churn' : undefined)
  const ledger = useFields(isRefused ? 'ledger' : undefined)
  if (!isRefused) return NONE
  if (mrr.isPending || churn.isPending || ledger.isPending) return { isPending: true, filters: [] }
  const known = [...(mrr.data?.filters ?? []), ...(churn.data?.filters ?? []), ...(ledger.data?.filters ?? [])]
  const keys = new Set(issues.map(({ value }) => value))
  const filters = [...keys].flatMap((key) => {
    const field = known.find((one) => one.key === key)
    return field === undefined ? [] : [{ key: field.key, label: labelOfField(field) }]
  })
  return filters.length === keys.size ? { isPending: false, filters } : NONE
}

/** The names of filters in a sentence: “Plan or Currency”. */
export function namesOfFilters(filters: readonly UnfitFilter[]): string {
  return filters.map(({ label }) => label).join(' or ')
}
