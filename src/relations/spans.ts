import { END_REASONS, MOVEMENT_SOURCES, MOVEMENT_TYPES, PHASE_TYPES, RUNNING_STATUSES, START_REASONS } from '../core/enums.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

const STRETCH =
  'One row per subscription and maximal stretch [valid_from, valid_to) in which status, plan, phase, price list, quantity and both components are constant.'

const SPAN_COLUMNS = [
  column('customer_key', 'key', 'Joins `customer`.'),
  column('subscription_id', 'text', 'Joins `subscription`.'),
  column('valid_from', 'timestamp', 'First instant of the stretch.'),
  nullable('valid_to', 'timestamp', 'First instant after the stretch; null while it is open.'),
  column('status', 'text', 'State of the subscription (D22).', RUNNING_STATUSES),
  column('plan', 'text', 'Plan name as stored.'),
  nullable('plan_key', 'key', 'Joins `plan`; null if the catalog lacks the plan.'),
  nullable('phase_type', 'text', 'Kind of the current phase (D24); null without one.', PHASE_TYPES),
  nullable('price_list', 'text', 'Price list of the last plan event.'),
  column('quantity', 'integer', 'Agreed quantity, at least 1.'),
  nullable('currency', 'text', 'Currency of the subscription (D9).'),
  column('subscription_mrr_cents', 'integer', 'Recurring component in original cents (D23).'),
  column('usage_mrr_cents', 'integer', 'Usage component in original cents (D29).'),
  column('mrr_cents', 'integer', 'Sum of both components.'),
  column('is_trial', 'boolean', 'Status is trialing.'),
  column('is_live', 'boolean', 'Status is active or paused (D38).'),
  column('is_paused', 'boolean', 'Status is paused.'),
  column('is_unpriced', 'boolean', 'True if the price is unknown. The recurring component is then 0 in this row (D26).'),
  column('start_reason', 'text', 'Why the stretch begins.', START_REASONS),
  nullable('end_reason', 'text', 'Why the subscription ends; only on its last stretch.', END_REASONS),
  nullable('subscription_fixed_on', 'date', 'Day of the exchange rate of the recurring base component.'),
  nullable('usage_fixed_on', 'date', 'Day of the exchange rate of the usage base component.'),
]

/**
 * The basis of all MRR figures (D28). It is narrow, so that windows sort little. Names and other values of plans come from joins
 * to at most one row per span.
 */
export const subscriptionSpan = defineRelation({
  name: 'subscription_span',
  kind: 'default',
  description: `${STRETCH} Includes every row that begins by window_end, also rows that ended before window_start: movements need them to recognize a reactivation (D32).`,
  grain: ['subscription_id', 'valid_from'],
  has_window: true,
  is_held: true,
  columns: SPAN_COLUMNS,
})

/** The spans under a swap window. It takes the place of `subscription_span`, which it reads by the name `own_span` (D83). */
export const swappedSpan = defineRelation({
  name: 'swapped_span',
  kind: 'derived',
  description:
    'The rows of `subscription_span`. The end of a subscription that another one replaces is moved to the activation of that one.',
  grain: ['subscription_id', 'valid_from'],
  has_window: true,
  columns: SPAN_COLUMNS,
})

const BASE_COLUMNS = [
  nullable(
    'subscription_mrr_base_cents',
    'integer',
    'Recurring component in base cents (D12); null if a needed rate is missing.',
  ),
  nullable('usage_mrr_base_cents', 'integer', 'Usage component in base cents; null if a needed rate is missing.'),
  nullable('mrr_base_cents', 'integer', 'Sum of both base components.'),
]

/** The spans with base amounts. */
export const mrrSpan = defineRelation({
  name: 'mrr_span',
  kind: 'derived',
  description: `${STRETCH} Includes every row that begins by range_end and has no end before range_start, also rows that end at range_start. Rows that ended earlier are left out. It has base amounts.`,
  grain: ['subscription_id', 'valid_from'],
  has_window: true,
  columns: [...SPAN_COLUMNS, ...BASE_COLUMNS],
})

/** The spans with the rates of the instants of the request. It takes the place of `mrr_span` under other values of the option `fx` (D65). */
export const revaluedSpan = defineRelation({
  name: 'revalued_span',
  kind: 'derived',
  description:
    'The rows of `mrr_span`. A row that needs a rate is cut at the instants of the request. Each piece has the rate of the day before its end.',
  grain: ['subscription_id', 'valid_from', 'valid_to'],
  has_window: true,
  columns: [
    ...SPAN_COLUMNS,
    ...BASE_COLUMNS,
    column('entered_on', 'date', 'Day of the rate with which the piece begins.'),
    column('left_on', 'date', 'Day of the rate with which the piece ends.'),
  ],
})

const CHANGE =
  'One row per subscription, component and instant at which its original MRR changed, range_start <= occurred_at < range_end. If one side has no price, the amount may be 0.'

const MOVEMENT_COLUMNS = [
  column('occurred_at', 'timestamp', 'Instant of the change.'),
  column('movement_type', 'text', 'Kind of movement (D31 to D33).', MOVEMENT_TYPES),
  column('movement_source', 'text', 'Component that moved.', MOVEMENT_SOURCES),
  column('amount_cents', 'integer', 'Signed change in original cents.'),
  nullable('currency', 'text', 'Currency of the subscription (D9).'),
  column('customer_key', 'key', 'Joins `customer`.'),
  column('subscription_id', 'text', 'Joins `subscription`.'),
  nullable('plan_key', 'key', 'Joins `plan`; of the side that D61 names.'),
  column('plan', 'text', 'Plan as stored; of the side that D61 names.'),
  nullable('phase_type', 'text', 'Kind of the phase; of the side that D61 names.', PHASE_TYPES),
  nullable('price_list', 'text', 'Price list; of the side that D61 names.'),
  column('reason', 'text', 'Start or end reason of the change.', [...new Set([...START_REASONS, ...END_REASONS])]),
  column('is_swap', 'boolean', 'Row of a swap group (D33).'),
  column('is_unpriced', 'boolean', 'The price of either side is unknown (D26).'),
  nullable('fixed_on', 'date', 'Day of the exchange rate that the amount needs.'),
]

/** Kind of a movement over all currencies of its customer (D85). The net base amount of the instant, or of one component then, decides the last two. */
const JOINT_TYPES = [...MOVEMENT_TYPES, 'net', 'component_net'] as const

const JOINT_TYPE = column('joint_type', 'text', 'Kind over all currencies of the customer (D85).', JOINT_TYPES)

const TYPED_COLUMNS = [
  ...MOVEMENT_COLUMNS,
  JOINT_TYPE,
  ...['before', 'after', 'named_subscription', 'named_usage'].flatMap((side) => [
    column(`${side}_cents`, 'integer', 'Original cents of this side.'),
    nullable(`${side}_fixed_on`, 'date', 'Day of the exchange rate of this side.'),
  ]),
]

/**
 * Differences of neighbouring spans (D31 to D34), with everything that base amounts need: the component that moved, before and after, and
 * both components of the side whose facts name the movement (D61). Each has its original cents and the day whose rate fixes them (D12).
 */
export const movement = defineRelation({
  name: 'movement',
  kind: 'derived',
  description: `${CHANGE} Both sides are in original cents.`,
  grain: ['subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  is_held: true,
  columns: TYPED_COLUMNS,
})

/** The movements with the kinds that the definitions give them. Base amounts are made from it. */
export const typedMovement = defineRelation({
  name: 'typed_movement',
  kind: 'derived',
  description: `${CHANGE} Both sides are in original cents. The rows are those of \`movement\`.`,
  grain: ['subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: TYPED_COLUMNS,
})

/** The movements with the kinds of their customers. It takes the place of `typed_movement` under `grain = customer` (D64). */
export const customerMovement = defineRelation({
  name: 'customer_movement',
  kind: 'derived',
  description: `${CHANGE} Both sides are in original cents. The kind is that of the customer.`,
  grain: ['subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: TYPED_COLUMNS,
})

const BASE_MOVEMENT_COLUMNS = [
  ...MOVEMENT_COLUMNS,
  nullable('amount_base_cents', 'integer', 'Signed change in base cents; null if a needed rate is missing.'),
  nullable('rate_base_cents', 'integer', 'Part of `amount_base_cents` that only the exchange rate made (D12).'),
  nullable('mrr_base_cents', 'integer', 'Base MRR of the subscription on the side that D61 names. The bands read it.'),
]

const JOINT_COLUMNS = [...BASE_MOVEMENT_COLUMNS, column('is_switch', 'boolean', 'Row of a switch to another currency (D85).')]

/** The movements with base amounts. The kinds still look at each currency alone. */
export const ratedMovement = defineRelation({
  name: 'rated_movement',
  kind: 'derived',
  description: `${CHANGE} It has base amounts.`,
  grain: ['subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: [...BASE_MOVEMENT_COLUMNS, JOINT_TYPE],
})

/** The movements over all currencies of each customer (D85). */
export const mrrMovement = defineRelation({
  name: 'mrr_movement',
  kind: 'derived',
  description: `${CHANGE} It has base amounts.`,
  grain: ['subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: JOINT_COLUMNS,
})

/** The movements of each currency alone. It takes the place of `mrr_movement` if the request divides currencies, or no customer has several (D85). */
export const separateMovement = defineRelation({
  name: 'separate_movement',
  kind: 'derived',
  description: `${CHANGE} It has base amounts. The kind looks at one currency.`,
  grain: ['subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: JOINT_COLUMNS,
})

/** The movements at the rate of their own day. It takes the place of `rated_movement` under other values of the option `fx` (D65). */
export const revaluedMovement = defineRelation({
  name: 'revalued_movement',
  kind: 'derived',
  description: 'The rows of `rated_movement`, both sides at the rate of the day of the movement, or of a constant day.',
  grain: ['subscription_id', 'movement_source', 'occurred_at'],
  has_window: true,
  columns: [...BASE_MOVEMENT_COLUMNS, JOINT_TYPE],
})

/** The facts behind the spans, before any option of the definitions. A definition set other than the default one makes its spans from them. */
export const pricedState = defineRelation({
  name: 'priced_state',
  kind: 'default',
  description:
    'One row per subscription and instant from which its facts hold, with its prices also while it is paused. Rows may repeat the facts before them. The last row holds until ended_at.',
  grain: ['subscription_id', 'state_from'],
  has_window: true,
  is_held: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('state_from', 'timestamp', 'First instant of these facts.'),
    column('status', 'text', 'State of the subscription (D22).', ['pending', 'trialing', 'active', 'paused']),
    column('is_transferred', 'boolean', 'The subscription began with a bundle transfer (D19).'),
    column('is_blocked', 'boolean', 'Billing is blocked (D20).'),
    column('is_overdue', 'boolean', 'Billing is blocked because of an unpaid invoice.'),
    column('plan', 'text', 'Plan name as stored.'),
    nullable('plan_key', 'key', 'Joins `plan`; null if the catalog lacks the plan.'),
    nullable('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list of the last plan event.'),
    column('quantity', 'integer', 'Agreed quantity, at least 1.'),
    nullable('currency', 'text', 'Currency of the subscription (D9).'),
    nullable('billing_period', 'text', 'Billing period of the recurring price, as the engine names it; null without one.'),
    nullable(
      'monthly_cents',
      'integer',
      'Recurring price of the quantity for one month while active (D23); null if unknown (D26).',
    ),
    nullable('unit_monthly_cents', 'integer', 'The same for a quantity of one (D67).'),
    column('usage_cents', 'integer', 'Usage mean while active (D29); 0 if the phase has no usage.'),
    nullable('ended_at', 'timestamp', 'End of the subscription (D18).'),
    nullable('end_reason', 'text', 'Why the subscription ends.', END_REASONS),
  ],
})

/** Input of the priced states, for connectors that do not supply them. */
export const subscriptionFact = defineRelation({
  name: 'subscription_fact',
  kind: 'source',
  description:
    'One row per subscription and instant of a change, with every value that holds from then on. Includes planned changes. The first fact is the begin (D17). No fact follows one with the status `ended`.',
  grain: ['subscription_id', 'fact_at'],
  has_window: false,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('fact_at', 'timestamp', 'First instant of these values.'),
    column('stated_at', 'timestamp', 'Time of the record; for an end, time of the request.'),
    column('status', 'text', 'State of the subscription (D22).', ['pending', 'trialing', 'active', 'paused', 'ended']),
    nullable(
      'reason',
      'text',
      'Reason of a start by transfer, of a pause for an unpaid invoice, and of every end. Other reasons follow from the rows.',
      [...END_REASONS, 'overdue'],
    ),
    nullable('cancel_reason', 'text', 'Reason that the customer gave for a cancellation (D46).'),
    column('plan', 'text', 'Plan.'),
    nullable('plan_key', 'key', 'Joins `plan`; null if the plan is unknown.'),
    nullable('phase_type', 'text', 'Kind of the phase (D24).', PHASE_TYPES),
    nullable('price_list', 'text', 'Price list.'),
    column('quantity', 'integer', 'Agreed quantity, at least 1.'),
    nullable('currency', 'text', 'Currency of the subscription (D9).'),
    nullable(
      'monthly_cents',
      'integer',
      'Recurring price for the quantity and one month, in original cents (D23); null if unknown (D26).',
    ),
    column('has_usage', 'boolean', 'True if usage counts in MRR during this time (D29).'),
  ],
})
