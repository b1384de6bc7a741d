import { type Fragment, sql } from '../../compiler/fragment.ts'
import { defineField, type FactContext, type Field } from '../field.ts'

/** Names of the bands, in ascending order. */
export const MRR_BANDS = ['Free', '<$100', '$100-$500', '$500-$1000', '$1000-$5000', '$5000+'] as const
export const ARR_BANDS = ['Free', '<$1.2k', '$1.2k-$6k', '$6k-$12k', '$12k-$60k', '$60k+'] as const

function band(key: string, label: string, values: readonly string[], description: string, expression: Fragment): Field {
  return defineField({
    key,
    shows: 'totals',
    label,
    type: 'string',
    description,
    values,
    readsBase: true,
    expression: () => expression,
    unknown: unknownMrr,
  })
}

function unknownMrr({ allowUnpriced }: FactContext): Fragment {
  return allowUnpriced ? sql`fact.mrr_base_cents is null` : sql`(fact.is_unpriced = true or fact.mrr_base_cents is null)`
}

/** Size of a subscription by base MRR in cents. A band includes its lower bound. */
export const BAND_DIMENSIONS = [
  band(
    'mrr_band',
    'MRR band',
    MRR_BANDS,
    `Size of the subscription by base MRR: ${MRR_BANDS.join(', ')}.`,
    sql`case when fact.mrr_base_cents <= 0 then 'Free' when fact.mrr_base_cents < 10000 then '<$100'
      when fact.mrr_base_cents < 50000 then '$100-$500' when fact.mrr_base_cents < 100000 then '$500-$1000'
      when fact.mrr_base_cents < 500000 then '$1000-$5000' when fact.mrr_base_cents >= 500000 then '$5000+' end`,
  ),
  band(
    'arr_band',
    'ARR band',
    ARR_BANDS,
    `Size of the subscription by 12 times its base MRR: ${ARR_BANDS.join(', ')}.`,
    sql`case when fact.mrr_base_cents <= 0 then 'Free' when fact.mrr_base_cents * 12 < 120000 then '<$1.2k'
      when fact.mrr_base_cents * 12 < 600000 then '$1.2k-$6k' when fact.mrr_base_cents * 12 < 1200000 then '$6k-$12k'
      when fact.mrr_base_cents * 12 < 6000000 then '$12k-$60k' when fact.mrr_base_cents is not null then '$60k+' end`,
  ),
]

/** True while an active cancellation is requested and has not taken effect (D61). */
export const PENDING_CANCELLATION_DIMENSION = defineField({
  key: 'pending_cancellation',
  shows: 'totals',
  type: 'boolean',
  description: 'True if a cancellation was requested by the date of the figure and takes effect after it.',
  joins: ['subscription'],
  reads: ['subscription.cancel_requested_at', 'subscription.cancel_at'],
  constant: 'never',
  expression: ({ instant, isBefore }) => sql`case
      when (subscription.cancel_requested_at < ${instant} or (subscription.cancel_requested_at = ${instant} and not (${isBefore})))
        and (subscription.cancel_at > ${instant} or (subscription.cancel_at = ${instant} and (${isBefore}))) then true
      else false end`,
})
