import * as z from 'zod'
import type { Calendar } from '../../core/calendar.ts'
import { currencyDigits } from '../../core/currency.ts'
import { MOVEMENT_TYPES } from '../../core/enums.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import { CUSTOMER_COLUMNS, cents, FLOW } from '../columns.ts'
import type { MovementCell } from './movements.ts'
import type { Movement } from './movers.ts'

const amount_base = cents('Change of MRR in base cents; losses are negative', { ...FLOW, label: 'Amount' })

/** Parts of a change of MRR in base cents (http-api.md 3.2). */
export const WHY_ANSWER = z.strictObject({
  start_mrr: cents('MRR just before the range', { label: 'Starting MRR' }),
  end_mrr: cents('MRR at the end of the range', { label: 'Ending MRR' }),
  change: cents('end_mrr - start_mrr'),
  by_movement: z
    .strictObject({
      new: cents('MRR of first activations', FLOW),
      expansion: cents('Growth of active subscriptions', FLOW),
      contraction: cents('Shrinkage of active subscriptions; negative', FLOW),
      churn: cents('MRR lost to pauses and ends; negative', FLOW),
      reactivation: cents('MRR of returning customers and resumed subscriptions', FLOW),
      transfer: cents('MRR that entered or left the filters because its value changed', FLOW),
      fx_effect: cents('Effect of exchange rates; 0 unless the definitions revalue open MRR', {
        ...FLOW,
        label: 'Exchange rates',
      }),
    })
    .describe('The change by kind of movement; adds up to `change`'),
  rate_parts: z
    .strictObject({
      expansion: cents('Part of `by_movement.expansion` that exchange rates made', FLOW),
      contraction: cents('Part of `by_movement.contraction` that exchange rates made', FLOW),
    })
    .describe('What only exchange rates changed: old amounts at the rate of their change, less their base amounts until then'),
  by_plan: z
    .array(
      z.strictObject({
        plan_id: z.string().nullable().describe('Plan'),
        amount_base,
      }),
    )
    .describe('The change by plan, largest first; adds up to `change`'),
  movers: z
    .array(
      z.strictObject({
        ...CUSTOMER_COLUMNS,
        subscription_id: z.string().describe('Id of the subscription; for a switch, of the one that began'),
        plan_id: z.string().nullable().describe('Plan of the subscription'),
        movement_type: z.enum(MOVEMENT_TYPES).describe('Kind of movement'),
        occurred_at: z.string().meta({ format: 'date-time' }).describe('When it happened'),
        amount_base,
        rate_part: cents('Part of `amount_base` that the exchange rate made'),
        text: z.string().describe('The movement as a sentence'),
      }),
    )
    .describe('The largest movements, by absolute amount'),
  sentences: z
    .array(z.string())
    .describe(
      'The change in words: first in total, then by kind of movement, largest first. Each kind names its leading plan and how many of its movements are of that plan.',
    ),
})

export type WhyAnswer = z.output<typeof WHY_ANSWER>
export type Mover = WhyAnswer['movers'][number]

type Figures = Omit<WhyAnswer, 'sentences'>
type Kind = keyof WhyAnswer['by_movement']

const KINDS: Readonly<Record<Kind, string>> = {
  new: 'New subscriptions',
  expansion: 'Expansion',
  contraction: 'Contraction',
  churn: 'Cancellations, ends and pauses',
  reactivation: 'Returning customers and resumed subscriptions',
  transfer: 'What entered or left the filters',
  fx_effect: 'Revaluation',
}

const PARTS: Readonly<Record<PlanShare['part'], string>> = {
  all: 'all',
  mostly: 'mostly',
  largest: 'the largest part',
}

/** The change in words: in total, by kind of movement (largest first, with the leading plan), and the plan that moved most. */
export function changeSentences(
  figures: Figures,
  planOf: (kind: string) => PlanShare | undefined,
  { start, end }: Pick<RangeTime, 'start' | 'end'>,
  currency: string,
): readonly string[] {
  const { start_mrr, end_mrr, change, by_movement, rate_parts, by_plan } = figures
  const money = moneyIn(currency)
  const did = (amount: number) => `${amount < 0 ? 'took' : 'added'} ${money(Math.abs(amount))} ${currency}`
  const days = start === end ? `on ${start}` : `from ${start} to ${end}`
  const levels = `from ${money(start_mrr)} to ${money(end_mrr)} ${currency}`
  const whole =
    change === 0
      ? `MRR stayed at ${money(end_mrr)} ${currency} ${days}.`
      : `MRR ${change > 0 ? 'rose' : 'fell'} by ${money(Math.abs(change))} ${currency} ${days}, ${levels}.`
  const kinds = Object.entries(by_movement)
    .map(([kind, amount]) => ({
      kind,
      amount,
      rate: Object.hasOwn(rate_parts, kind) ? rate_parts[kind as keyof typeof rate_parts] : 0,
    }))
    .filter(({ amount, rate }) => amount !== 0 || rate !== 0)
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
    .map(({ kind, amount, rate }) => {
      const came = `${KINDS[kind as Kind]} ${did(amount)}`
      const parts = rate === 0 ? '' : ` (customers ${did(amount - rate)}, exchange rates ${did(rate)})`
      return `${came}${parts}${fromPlan(planOf(kind))}.`
    })
  const [plan] = by_plan
  const moved = plan && `The plan that moved most is ${planName(plan.plan_id)}: ${signed(money, plan.amount_base)} ${currency}.`
  return [whole, ...kinds, ...(moved === undefined ? [] : [moved])]
}

// For example ", mostly from pro-monthly: 9 of 19 movements".
function fromPlan(share: PlanShare | undefined): string {
  if (share === undefined) return ''
  const { plan_id, part, events, all_events } = share
  const number = part === 'all' ? count(events) : `${count(events)} of ${count(all_events)}`
  return `, ${PARTS[part]} from ${plan_id}: ${number} ${all_events === 1 ? 'movement' : 'movements'}`
}

/** A movement in words: customer, action, day and amount. */
export function moverSentence(movement: Movement, currency: string, { dayAt }: Pick<Calendar, 'dayAt'>): string {
  const { customer_id, customer_name, occurred_at, amount_base, rate_part } = movement
  const money = moneyIn(currency)
  const own = signed(money, amount_base - rate_part)
  const parts = rate_part === 0 ? '' : ` (${own} by the customer, ${signed(money, rate_part)} by the exchange rate)`
  const amount = `${signed(money, amount_base)} ${currency}${parts}`
  return `${customer_name ?? customer_id} ${actionOf(movement)} on ${dayAt(new Date(occurred_at))}: ${amount}.`
}

// The action follows from the reason of the change (D28), or from the movement type.
function actionOf({ movement_type, reason, is_swap, plan_id, amount_base, rate_part }: Movement): string {
  const plan = planName(plan_id)
  // Under grain = customer, a subscription can end while its customer goes on.
  const left = LOSSES[reason]
  if (is_swap && left !== undefined && amount_base < 0) return left(plan)
  if (is_swap) return `switched to ${plan}`
  if (reason === 'bundle_transfer') {
    return movement_type === 'churn' ? `handed ${plan} to another customer` : `took ${plan} over from another customer`
  }
  switch (movement_type) {
    case 'new':
      return reason === 'start' ? `started ${plan}` : `began to pay for ${plan}`
    case 'reactivation':
      return reason === 'resume' ? `resumed ${plan}` : `came back with ${plan}`
    case 'churn':
      return LOSSES[reason]?.(plan) ?? `left ${plan}`
    default:
      return CHANGES[reason]?.(plan, amount_base - rate_part) ?? BEGINS[reason]?.(plan) ?? `changed ${plan}`
  }
}

const LOSSES: Readonly<Record<string, (plan: string) => string>> = {
  cancel: (plan) => `cancelled ${plan}`,
  pause: (plan) => `paused ${plan}`,
  overdue: (plan) => `was blocked on ${plan} for overdue payments`,
  expiry: (plan) => `came to the end of ${plan}`,
  base_end: (plan) => `lost ${plan} with its base subscription`,
}

const CHANGES: Readonly<Record<string, (plan: string, amount: number) => string>> = {
  plan: (plan) => `changed to ${plan}`,
  phase: (plan) => `entered another phase of ${plan}`,
  quantity: (plan) => `changed the quantity of ${plan}`,
  price: (plan) => `got another price of ${plan}`,
  usage: (plan, amount) => `used ${amount > 0 ? 'more' : 'less'} on ${plan}`,
}

/** Begins that are expansion, which they are under grain = customer. */
const BEGINS: Readonly<Record<string, (plan: string) => string>> = {
  start: (plan) => `started ${plan}`,
  resume: (plan) => `resumed ${plan}`,
}

function planName(plan: string | null): string {
  return plan ?? 'an unknown plan'
}

function count(events: number): string {
  return new Intl.NumberFormat('en-US').format(events)
}

// Amounts are in hundredths, so at most two digits are shown.
function moneyIn(currency: string): (cents: number) => string {
  const digits = Math.min(2, currencyDigits(currency))
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return (cents) => format.format(cents / 100)
}

function signed(money: (cents: number) => string, cents: number): string {
  return cents > 0 ? `+${money(cents)}` : money(cents)
}

/** The leading plan of one kind of movement, by amount, with its number of movements. */
interface PlanShare {
  readonly plan_id: string
  /** The plan's part of the amount: all, more than half, or more than any other plan. */
  readonly part: 'all' | 'mostly' | 'largest'
  readonly events: number
  readonly all_events: number
}

type PlanCell = Pick<MovementCell, 'values' | 'amount' | 'events'>

/**
 * The leading plan of one kind of movement, from one cell per plan. Only amounts with the sign of the total compete, because the
 * gain in a swap (D33) is not part of a loss. Undefined if two plans lead equally, or if the leading cell has no plan.
 */
export function leadingPlan(cells: readonly PlanCell[]): PlanShare | undefined {
  const sign = Math.sign(cells.reduce((sum, { amount }) => sum + amount, 0))
  const ranked = cells
    .map((cell) => ({ ...cell, share: cell.amount * sign }))
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share)
  const [first, second] = ranked
  const plan = first?.values[0] ?? null
  if (first === undefined || plan === null || first.share === second?.share) return undefined
  const whole = ranked.reduce((sum, { share }) => sum + share, 0)
  return {
    plan_id: String(plan),
    part: cells.length === 1 ? 'all' : 2 * first.share > whole ? 'mostly' : 'largest',
    events: first.events,
    all_events: cells.reduce((sum, { events }) => sum + events, 0),
  }
}
