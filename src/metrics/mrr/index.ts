import * as z from 'zod'
import { MOVEMENT_TYPES } from '../../core/enums.ts'
import { MOVEMENT_TYPE_DIMENSION, OCCURRED_AT_FIELD } from '../../query/dimensions/movement.ts'
import { isAbsent, type Raw } from '../../query/raw-parameters.ts'
import { cents, count, day, FLOW, PERIOD } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { madeOf, rowsBehind } from '../formula.ts'
import { readBreakdown } from './breakdown.ts'
import {
  endingLevels,
  fxEffects,
  movementCount,
  movements,
  movementsOf,
  netChange,
  startingLevels,
  transfers,
} from './counted.ts'
import { BREAKDOWN, LEVEL, WHY } from './inputs.ts'
import { LEVELS, readLevelSeries, readSeries } from './series.ts'
import { readWaterfall } from './waterfall.ts'
import { answerWhy, DEFAULT_MOVERS } from './why.ts'
import { WHY_ANSWER } from './why-answer.ts'

const LEVEL_PAGE = { path: 'mrr', isGrouped: true, figure: 'mrr' } as const

const WHY_SUMMARY = 'Why MRR changed: by kind of movement, by plan, and the largest movements'

const mrr = cents('MRR in cents; in a series, at the end of the period')
const arr = cents('12 times MRR, in cents')
const amount_base = cents('Net movement of MRR in the period, in cents', { ...FLOW, label: 'Amount' })
const COMPONENTS = {
  subscription_mrr: cents('Recurring component of MRR, in cents'),
  usage_mrr: cents('Usage component of MRR, in cents'),
  mrr,
}
const NUMBERS = { mrr: LEVELS.mrr, amount_base: LEVELS.amount_base }
// By movement type, a series has only movements and no levels.
const SERIES = {
  measures: { mrr: mrr.nullable(), amount_base },
  read: readSeries,
}

/** MRR, ARR, components, breakdown and waterfall (http-api.md 3.2). */
export const metric = defineMetric({
  name: 'mrr',
  summary: 'Monthly recurring revenue, its components and its movements',
  words: ['monthly_recurring_revenue'],
  depends_on: [],
  reads: ['mrr_span'],
  time_fields: [OCCURRED_AT_FIELD],
  queries: {
    current: defineFigure({
      page: LEVEL_PAGE,
      shows: 'totals',
      summary: 'Monthly recurring revenue on a day, or as a series with the net movement of each period',
      inputs: LEVEL,
      measures: { mrr },
      plain: 'mrr',
      ...madeOf({ mrr: LEVELS.mrr }),
      series: SERIES,
    }),
    series: defineList({
      figures: [
        {
          id: 'mrr',
          label: 'MRR',
          measure: 'mrr',
          chart: 'area',
          place: 1,
          headline: 'mrr',
          search: 'recurring revenue monthly',
          asks: {},
        },
      ],
      page: LEVEL_PAGE,
      shows: 'totals',
      summary: 'MRR at the end of each period, with the net movement in the period',
      inputs: {
        ...LEVEL,
        dates: 'series',
        series_dimensions: [MOVEMENT_TYPE_DIMENSION],
      },
      keys: {},
      rows: rowsBehind(NUMBERS),
      ...SERIES,
    }),
    components: defineFigure({
      figures: [{ id: 'usage_mrr', label: 'Usage MRR', measure: 'usage_mrr', chart: 'area', place: 3 }],
      page: { path: 'explore', figure: 'usage_mrr' },
      shows: 'totals',
      summary: 'MRR split into its recurring and usage components, on a day or as a series',
      inputs: LEVEL,
      measures: COMPONENTS,
      ...madeOf({ mrr: LEVELS.mrr, subscription_mrr: LEVELS.subscription_mrr, usage_mrr: LEVELS.usage_mrr }),
      series: { measures: COMPONENTS, read: readLevelSeries },
    }),
    breakdown: defineList({
      figures: [
        {
          id: 'movements',
          label: 'MRR movements',
          measure: 'amount_base',
          chart: 'bars',
          place: 6,
          headline: 'net_new_mrr',
          search: 'new expansion contraction reactivation upgrade downgrade',
        },
      ],
      page: { path: 'explore', figure: 'movements' },
      words: ['movements'],
      shows: 'totals',
      summary: 'MRR movements in a range, by type',
      inputs: BREAKDOWN,
      keys: {
        movement_type: z.enum([...MOVEMENT_TYPES, 'transfer', 'fx_effect']).describe('Kind of movement'),
      },
      measures: {
        amount_base: cents('Sum of the movements in cents; losses are negative', { ...FLOW, label: 'Amount' }),
        event_count: count('Number of movements', { ...FLOW, label: 'Movements' }),
      },
      rows: { amount_base: movements, event_count: movementCount },
      read: readBreakdown,
    }),
    waterfall: defineList({
      page: { path: 'mrr' },
      shows: 'totals',
      summary: 'Bridge from starting to ending MRR, for each period',
      inputs: { ...LEVEL, dates: 'range' },
      keys: { month: day('Same as `period`'), period: PERIOD },
      measures: {
        starting_mrr: cents('MRR just before the period'),
        new: cents('MRR of first activations', FLOW),
        expansion: cents('Growth of active subscriptions', FLOW),
        contraction: cents('Shrinkage of active subscriptions; negative', FLOW),
        churn: cents('MRR lost to pauses and ends; negative', FLOW),
        reactivation: cents('MRR of returning customers and resumed subscriptions', FLOW),
        transfer: cents('MRR that entered or left the group because its value changed', FLOW),
        fx_effect: cents('Effect of exchange rates; 0 unless the definitions revalue open MRR', {
          ...FLOW,
          label: 'Exchange rates',
        }),
        net_change: cents('Sum of the seven parts', { ...FLOW, label: 'Net new MRR' }),
        ending_mrr: cents('MRR at the end of the period'),
      },
      rows: {
        net_change: netChange,
        starting_mrr: startingLevels,
        ...Object.fromEntries(MOVEMENT_TYPES.map((type) => [type, movementsOf([type])])),
        transfer: transfers,
        fx_effect: fxEffects,
        ending_mrr: endingLevels(),
      },
      read: readWaterfall,
    }),
    why: {
      page: { path: 'mrr' },
      summary: WHY_SUMMARY,
      inputs: WHY,
      plain: WHY_ANSWER,
      row: z.object(WHY_ANSWER.shape),
      is_comparable: false,
      run: answerWhy,
    },
    arr: defineFigure({
      figures: [
        {
          id: 'arr',
          label: 'ARR',
          measure: 'arr',
          chart: 'area',
          place: 2,
          headline: 'arr',
          search: 'recurring revenue annual yearly',
        },
      ],
      page: { path: 'explore', figure: 'arr' },
      words: ['annual_recurring_revenue'],
      shows: 'totals',
      summary: 'Annual recurring revenue, 12 times MRR, on a day or as a series',
      inputs: { ...LEVEL, series_dimensions: [MOVEMENT_TYPE_DIMENSION] },
      measures: { mrr, arr },
      plain: 'arr',
      ...madeOf({ arr: LEVELS.arr, ...NUMBERS }),
      series: {
        measures: { arr: arr.nullable(), ...SERIES.measures },
        read: readSeries,
      },
    }),
  },
  choose: (query_type = 'current', params, spec) =>
    query_type === 'current' && asksForRange(params, spec) ? 'series' : query_type,
  routes: [
    {
      path: 'mrr',
      command: {
        description: 'Monthly recurring revenue on a day, or as a series with --start and --end',
      },
    },
    {
      path: 'arr',
      query_type: 'arr',
      command: { description: 'Annual recurring revenue, twelve times MRR' },
    },
    {
      path: 'mrr/components',
      query_type: 'components',
      command: {
        description: 'MRR split into its subscription and usage parts',
      },
    },
    { path: 'mrr/breakdown', query_type: 'breakdown' },
    {
      path: 'mrr/waterfall',
      query_type: 'waterfall',
      command: { also_named: 'waterfall' },
    },
    {
      path: 'mrr/why',
      query_type: 'why',
      words: {
        limit: `Movements to list, 1 to 1000. Default ${DEFAULT_MOVERS}.`,
      },
      command: {
        description: 'Why MRR changed: the movements behind it, largest first',
        also_named: 'why',
      },
    },
  ],
  docs: {
    formula:
      'MRR at T is the sum, over active subscriptions, of the recurring component (price in force × quantity, brought to one month, floored to a cent) and the usage component (mean of the newest three service months with paid usage). ARR = 12 × MRR. Net movement of a period = MRR at its end − MRR just before its start = new + expansion + contraction + churn + reactivation + transfer.',
    assumptions: [
      'Days are UTC, or those of the option time_zone. A day counts in full, and the MRR of a day is the MRR at its end.',
      'Amounts are in cents of the base currency. Each amount uses the exchange rate of the day on which the original amount last changed. With the dimension currency, amounts are in original cents.',
      'Trials have no MRR, and neither do paused subscriptions. One-off charges, taxes and invoice discounts never count.',
      'Test accounts are excluded.',
      'With forecast, days after today count what the billing database already states: scheduled changes, cancellations and pauses, phases, ends of fixed terms, and price dates. Usage stays at its last value, and exchange rates are the newest known.',
    ],
    edge_cases: [
      'A movement at the first instant of a range belongs to the range, not to its opening.',
      'A movement takes its plan, phase and other values from just after it. If the subscription pauses or ends, it takes them from just before.',
      'transfer is MRR that entered or left a group because its value changed, for example in a plan switch. Over all groups it sums to 0. A filter on occurred_at excludes it.',
      'If a subscription ends at the instant when another one of the same customer and bundle line begins, the net difference is one expansion or contraction.',
      'If a needed price or exchange rate is missing, the request fails. It never counts as 0 silently.',
      'why splits the change over a range by kind of movement and by plan; each split adds up to the change. It also lists the largest movements. Both components of a subscription, and both sides of a switch, count as one movement there. Its sentences name the leading plan of each kind and how many of its movements are of that plan, as the breakdown by plan counts them.',
      'Without forecast, dates after today are answered as of now, and periods that have not begun are left out.',
    ],
    example: {
      text: 'The movements of March to May in the worked example: two plan changes, a pause of three weeks, and price × quantity in euros. Opening MRR 28833, net 4600, closing MRR 33433.',
      params: {
        query_type: 'breakdown',
        start: '2025-03-01',
        end: '2025-05-31',
      },
      answer: [
        { movement_type: 'new', amount_base: 0, event_count: 0 },
        { movement_type: 'expansion', amount_base: 13600, event_count: 4 },
        { movement_type: 'contraction', amount_base: -100, event_count: 1 },
        { movement_type: 'churn', amount_base: -17900, event_count: 3 },
        { movement_type: 'reactivation', amount_base: 9000, event_count: 2 },
      ],
    },
  },
})

function asksForRange(params: Raw, spec: Raw): boolean {
  return [spec['time_range'], params['start'], params['end'], params['range']].some((given) => !isAbsent(given))
}
