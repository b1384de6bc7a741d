import { ACRONYMS, labelFromName } from '../../core/label.ts'
import { formatPeriod } from './days.ts'
import { declaredLabel } from './traits.ts'

/** Fields of records whose names on the page are other than their own words. Columns of numbers declare their labels. */
const LABELS: Readonly<Record<string, string>> = {
  active_month: 'Month',
  account_name: 'Account',
  age: 'Days open',
  canceling: 'Cancellation',
  cancel_reason: 'Cancellation reason',
  churned_at: 'Churned on',
  cohort_month: 'Cohort',
  created_at: 'Created',
  customer_country: 'Country',
  customer_id: 'Customer ID',
  customer_name: 'Customer',
  ended_at: 'Ended',
  left_count: 'Left',
  movement_type: 'Movement',
  plan_id: 'Plan',
  segment_name: 'Segment',
  started_at: 'Started',
  tenure_months: 'Tenure (months)',
  txn_date: 'Date',
  vendor_name: 'Vendor',
}

/** Name of an answer's field on the page. */
export function labelOf(key: string): string {
  // The key may come from the address, and could be `constructor`, which every object has.
  const known = Object.hasOwn(LABELS, key) ? LABELS[key] : declaredLabel(key)
  if (known !== undefined) return known
  const tag = /^(?:attr\.)?tag\.(.+)$/s.exec(key)?.[1]
  if (tag !== undefined) return `Tag: ${CONTROL_TAG.test(tag) ? inWords(tag) : tag}`
  return labelFromName(key.replace(/^(attr|customer|subscription|computed)\./, ''))
}

/** The engine's own tags have such names: `AUTO_PAY_OFF`, `__PARK__`. All other tags keep the names that users gave them. */
const CONTROL_TAG = /^(__[A-Z]+__|[A-Z]+(_[A-Z]+)+)$/

/** Name of a dimension or filter: the name on the page if there is one, else the API's name. An attribute may have only a key. */
export function labelOfField({ key, label }: { readonly key: string; readonly label: string }): string {
  return Object.hasOwn(LABELS, key) || key === `attr.${label}` ? labelOf(key) : label
}

/** Name of a group of rows without a value. A cell without a value shows a dash with the reason. */
const NO_GROUP = 'No value'

/**
 * Text for a value of a field. Without a field, and for fields with users' own texts, the value stays unchanged. Words of the
 * billing engine, country codes and months become people's words. Null and empty text are separate groups.
 */
export function valueLabel(value: unknown, field = ''): string {
  if (value === null || value === undefined) return NO_GROUP
  if (value === '') return 'Empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const text = String(value)
  if (field.startsWith('attr.')) return text
  const name = withoutRecord(field)
  if (COUNTRIES.includes(name)) return countryName(text)
  if (MONTHS.includes(name)) return DAY.test(text) ? formatPeriod(text, 'month') : text
  if (name === 'cancel_reason') return SLUG.test(text) ? inWords(text) : text
  return ENUMERATIONS.includes(name) ? engineWord(text) : text
}

/** The raw value if the label differs from it, to show on hover. */
export function rawTitle(value: unknown, field?: string): string | undefined {
  return typeof value === 'string' && value !== '' && valueLabel(value, field) !== value ? value : undefined
}

/** A different label for each value: values with equal labels also show the raw value. */
export function distinctLabels(values: readonly unknown[], field?: string): ReadonlyMap<unknown, string> {
  const labels = [...new Set(values)].map((value) => [value, valueLabel(value, field)] as const)
  const counts = new Map<string, number>()
  for (const [, label] of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return new Map(labels.map(([value, label]) => [value, counts.get(label) === 1 ? label : `${label} (${String(value)})`]))
}

/** Labels in the order in which people look for them. Values keep their order, apart from codes of countries, whose names have another. */
export function labelsInOrder(labels: ReadonlyMap<unknown, string>, field?: string): readonly string[] {
  const all = [...labels.values()]
  return field !== undefined && COUNTRIES.includes(withoutRecord(field))
    ? all.sort((one, other) => one.localeCompare(other))
    : all
}

type Labelled = Readonly<Record<string, unknown>>

/** Finds the name of a row's series: the labels of its groups. Groups with equal labels also show their raw values. */
export function namesOf(rows: readonly Labelled[], groups: readonly string[]): (row: Labelled) => string {
  const labels = groups.map(
    (group) =>
      [
        group,
        distinctLabels(
          rows.map((row) => row[group]),
          group,
        ),
      ] as const,
  )
  return (row) => labels.map(([group, label]) => label.get(row[group]) ?? '').join(' · ')
}

/** The raw values of a row's groups; undefined if their labels are equal to them. */
export function rawOf(row: Labelled | undefined, groups: readonly string[]): string | undefined {
  const isChanged = groups.some((group) => rawTitle(row?.[group], group) !== undefined)
  return isChanged ? groups.map((group) => String(row?.[group] ?? '')).join(' · ') : undefined
}

/** The key of a field without the record that it belongs to, such as `country` of `customer.country`. */
function withoutRecord(field: string): string {
  return field.replace(/^(customer|subscription|computed)\./, '')
}

/** Fields with country codes. */
const COUNTRIES = ['country', 'customer_country']
/** Fields with the first day of a month. */
const MONTHS = ['cohort_month', 'customer_created_month', 'active_month']
/** Fields whose values are words of the billing engine or of Plumbline. */
const ENUMERATIONS = [
  'account_type',
  'age',
  'billing_period',
  'churn_type',
  'collection_method',
  'document_kind',
  'kind',
  'movement_source',
  'movement_type',
  'phase_type',
  'plan_interval',
  'pricing_model',
  'product_category',
  'status',
  'usage_type',
]

/** Words that need more than blanks and a capital letter. */
const WORDS: Readonly<Record<string, string>> = {
  add_on: 'Add-on',
  biannual: 'Every 6 months',
  biennial: 'Every 2 years',
  bimestrial: 'Every 2 months',
  biweekly: 'Every 2 weeks',
  cogs: 'Cost of goods sold',
  fixedterm: 'Fixed term',
  fx_effect: 'Exchange rates',
  ninety_days: 'Every 90 days',
  sesquiennial: 'Every 18 months',
  sixty_days: 'Every 60 days',
  thirty_days: 'Every 30 days',
  thirty_one_days: 'Every 31 days',
  triannual: 'Every 4 months',
  triennial: 'Every 3 years',
  usage_based: 'Usage-based',
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** One word, or words joined by `_` or `-`. Sentences and names with other characters are no slugs. */
const SLUG = /^[a-z0-9]+([_-][a-z0-9]+)*$/i
const LONGEST_SLUG = 80
/** Numbers of days from and to, or over one: the ages of invoices. */
const DAYS_OF_AGE = /^(?:(\d+)-(\d+)|over-(\d+))$/

function engineWord(text: string): string {
  const key = text.toLowerCase()
  if (Object.hasOwn(WORDS, key)) return WORDS[key] ?? text
  const [isAge, from, to, over] = DAYS_OF_AGE.exec(key) ?? []
  if (isAge !== undefined) return over === undefined ? `${from}–${to} days` : `Over ${over} days`
  return SLUG.test(text) ? inWords(text) : text
}

/** A slug as words: `too_expensive` and `TOO_EXPENSIVE` become “Too expensive”. */
export function inWords(slug: string): string {
  if (slug.length > LONGEST_SLUG) return slug
  const words = slug
    .toLowerCase()
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .replaceAll(/\baddon\b/g, 'add-on')
    .replaceAll(ACRONYMS, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' })

// Engines store any text as country. Only codes in upper case are names of countries; `ZZ` means that it is not known.
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? (regions.of(code) ?? code) : code
}
