import { column, defineRelation, nullable } from './define-relation.ts'

/** Plans as the catalog version in force describes them (D61). */
export const plan = defineRelation({
  name: 'plan',
  kind: 'base',
  description: 'One row per plan and catalog version. Spans and movements refer to it by `plan_key`.',
  grain: ['plan_key'],
  has_window: false,
  columns: [
    column('plan_key', 'key', 'Key inside the statement, never shown.'),
    column('plan_id', 'text', 'Plan; price overrides stand under the plan they override.'),
    nullable('plan_name', 'text', 'Pretty name.'),
    nullable('billing_period', 'text', 'Period word of the final phase.'),
    nullable('plan_interval', 'text', 'Unit of that period.', ['day', 'week', 'month', 'year']),
    nullable('pricing_model', 'text', 'How the final phase is priced.', ['flat', 'usage_based']),
    nullable('usage_type', 'text', 'Whether the final phase has usage.', ['licensed', 'metered']),
    nullable('product_name', 'text', 'Product.'),
    nullable('product_category', 'text', 'Category of the product.'),
  ],
})
