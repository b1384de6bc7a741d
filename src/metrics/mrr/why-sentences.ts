import { currencyDigits } from '../../core/currency.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { Movement } from './movers.ts'
import type { PlanShare } from './plan-share.ts'
import type { WhyAnswer } from './why-answer.ts'

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

/** The change in words: as a whole, by kind of movement the largest first, each with the plan it came from, and the plan that moved most. */
export function changeSentences(
  figures: Figures,
  planOf: (kind: string) => PlanShare | undefined,
  { start, end }: Pick<RangeTime, 'start' | 'end'>,
  currency: string,
): readonly string[] {
  const { start_mrr, end_mrr, change, by_movement, by_plan } = figures
  const money = moneyIn(currency)
  const days = start === end ? `on ${start}` : `from ${start} to ${end}`
  const levels = `from ${money(start_mrr)} to ${money(end_mrr)} ${currency}`
  const whole =
    change === 0
      ? `MRR stayed at ${money(end_mrr)} ${currency} ${days}.`
      : `MRR ${change > 0 ? 'rose' : 'fell'} by ${money(Math.abs(change))} ${currency} ${days}, ${levels}.`
  const kinds = Object.entries(by_movement)
    .filter(([, amount]) => amount !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([kind, amount]) => {
      const came = `${KINDS[kind as Kind]} ${amount > 0 ? 'added' : 'took'} ${money(Math.abs(amount))} ${currency}`
      return `${came}${fromPlan(planOf(kind))}.`
    })
  const [plan] = by_plan
  const moved = plan && `The plan that moved most is ${planName(plan.plan_id)}: ${signed(money, plan.amount_base)} ${currency}.`
  return [whole, ...kinds, ...(moved === undefined ? [] : [moved])]
}

// Such as ", mostly from pro-monthly: 9 of 19 movements".
function fromPlan(share: PlanShare | undefined): string {
  if (share === undefined) return ''
  const { plan_id, part, events, all_events } = share
  const number = part === 'all' ? count(events) : `${count(events)} of ${count(all_events)}`
  return `, ${PARTS[part]} from ${plan_id}: ${number} ${all_events === 1 ? 'movement' : 'movements'}`
}

/** A movement in words: who did what when, and what it changed. */
export function moverSentence(movement: Movement, currency: string): string {
  const { customer_id, customer_name, occurred_at, amount_base } = movement
  const amount = `${signed(moneyIn(currency), amount_base)} ${currency}`
  return `${customer_name ?? customer_id} ${deedOf(movement)} on ${occurred_at.slice(0, 10)}: ${amount}.`
}

// By the reason of the change (D28), which stands for nothing a customer did where the type already says it.
function deedOf({ movement_type, reason, is_swap, plan_id, amount_base }: Movement): string {
  const plan = planName(plan_id)
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
      return CHANGES[reason]?.(plan, amount_base) ?? `changed ${plan}`
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

function planName(plan: string | null): string {
  return plan ?? 'an unknown plan'
}

function count(events: number): string {
  return new Intl.NumberFormat('en-US').format(events)
}

// Hundredths are what there is, whatever digits the currency has.
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
