import type { InlineRelation } from '../../../src/connector-kit/connector.ts'

type Column = InlineRelation['columns'][number]

const interval = [column('from_at', 'timestamp'), column('to_at', 'timestamp')]

/**
 * The entry interval of the plan, and the interval of the subscription's life. An unlimited bound is null. This keeps the rows
 * short, because there may be many.
 */
const rectangle = [column('entered_from', 'timestamp'), column('entered_to', 'timestamp'), ...interval]

const COLUMNS = {
  price_line: [
    column('line_key', 'integer'),
    column('tenant_key', 'integer'),
    column('phase_name', 'text'),
    column('currency', 'text'),
  ],
  price: [
    column('line_key', 'integer'),
    ...rectangle,
    column('price', 'decimal'),
    column('month_numerator', 'integer'),
    column('month_denominator', 'integer'),
    column('has_usage', 'boolean'),
    column('plan_key', 'integer'),
    column('billing_period', 'text'),
    column('in_arrears', 'boolean'),
  ],
  billing_rule: [
    column('tenant_key', 'integer'),
    column('phase_name', 'text'),
    column('currency', 'text'),
    ...rectangle,
    column('fixed_price', 'decimal'),
    column('alignment', 'text'),
    column('lead_months', 'integer'),
    column('lead_days', 'integer'),
  ],
  plan: [
    column('plan_key', 'integer'),
    column('plan_id', 'text'),
    column('plan_name', 'text'),
    column('billing_period', 'text'),
    column('plan_interval', 'text'),
    column('pricing_model', 'text'),
    column('usage_type', 'text'),
    column('product_name', 'text'),
    column('product_category', 'text'),
  ],
  fixed_term: [
    column('tenant_key', 'integer'),
    column('phase_name', 'text'),
    ...rectangle,
    column('months', 'integer'),
    column('days', 'integer'),
  ],
  base_addon: [column('tenant_key', 'integer'), column('base_plan', 'text'), column('addon_product', 'text'), ...interval],
  addon_plan: [column('tenant_key', 'integer'), column('plan', 'text'), ...rectangle, column('product_name', 'text')],
} as const satisfies Record<string, readonly Column[]>

function column(name: string, type: Column['type']): Column {
  return { name, type }
}

/** One of the catalog's relations with these rows, cells in column order. */
export function inlineRelation(name: keyof typeof COLUMNS, rows: InlineRelation['rows']): InlineRelation {
  return { name, columns: COLUMNS[name], rows }
}
