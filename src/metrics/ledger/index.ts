import * as z from 'zod'
import type { QueryInputs } from '../../query/inputs.ts'
import { BOOKS } from '../../relations/books.ts'
import { cents, count, day, FLOW, notAdditive, quotient, share } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { COLLECTION_ROWS, readCollections } from './collections.ts'
import { CASH_ROWS, CREDIT_ROWS, MOVEMENT_ROWS } from './counted.ts'
import { DEFERRED } from './deferred.ts'
import { DSO_ROWS, readDso } from './dso.ts'
import { ATTEMPT_INPUTS, CHARGE_INPUTS, CUSTOMER_INPUTS } from './fields.ts'
import { readCash, readCredits, readMovements } from './flows.ts'
import { MRR_BRIDGE } from './mrr-bridge-query.ts'
import { optionsOf } from './options.ts'
import { readReceivables } from './receivables.ts'
import { CORRECTIONS, RECOGNIZED, REVENUE } from './revenue-query.ts'
import { ACCOUNTS, readTrialBalance } from './trial-balance.ts'
import { readWaterfall } from './waterfall.ts'

const flow = (description: string) => cents(description, { ...FLOW, good: 'neither' })
const level = (description: string) => cents(description, { good: 'neither' })

const BALANCE_INPUTS: QueryInputs = {
  ...CUSTOMER_INPUTS,
  dates: 'point_or_range',
  own_parameters: ['net_terms', 'buckets', 'receivables_rate', 'known_at'],
}

const BOOKS_INPUTS: QueryInputs = {
  ...CUSTOMER_INPUTS,
  dates: 'day_or_range',
  step: 'none',
  own_parameters: ['spread', 'one_off', 'unbilled', 'revenue_kinds', 'receivables_rate', 'known_at'],
}

/** Billings, recognized and deferred revenue, receivables, cash, credit and the trial balance (docs/ledger.md). */
export const metric = defineMetric({
  name: 'ledger',
  summary: 'Revenue, receivables and cash as the books have them',
  words: ['accounting', 'recognized_revenue', 'deferred_revenue', 'billings'],
  depends_on: [],
  reads: BOOKS,
  time_fields: [],
  queries: {
    revenue: REVENUE,
    recognized: RECOGNIZED,
    waterfall: defineList({
      shows: 'totals',
      summary: 'Recognized revenue by the month in which it was billed and the month in which it is recognized',
      inputs: { ...CHARGE_INPUTS, step: 'none' },
      keys: {
        booked_month: day('Month in which the charges were posted; null if they are posted after the range').nullable(),
        recognized_month: day('Month of recognition'),
      },
      measures: {
        recognized: cents('Recognized revenue', FLOW),
        booked: cents('Charges of the month of posting', { shared_by: ['recognized_month'], good: 'neither' }),
        adjusted: cents('What adjustments and voids changed up to the end of the range', {
          shared_by: ['recognized_month'],
          good: 'neither',
        }),
        remaining: cents('Deferred less unbilled at the end of the range', { shared_by: ['recognized_month'], good: 'neither' }),
      },
      is_comparable: false,
      read: readWaterfall,
    }),
    receivables: defineList({
      shows: 'totals',
      words: ['ar', 'aging', 'ar_aging'],
      summary: 'Open balances of invoices at the end of a day, by days past due',
      inputs: BALANCE_INPUTS,
      keys: { age: z.string().describe('Days past due: current, 1-30, 31-60, 61-90 or over-90') },
      measures: {
        invoices: count('Open invoices', { good: 'down' }),
        balance: cents('Open balance', { good: 'down' }),
        reopened: cents('Part of the balance that refunds and chargebacks opened again', { good: 'down' }),
      },
      read: readReceivables,
    }),
    movements: defineFigure({
      shows: 'totals',
      summary: 'Movements of receivables of each period',
      inputs: { ...CUSTOMER_INPUTS, own_parameters: ['receivables_rate', 'known_at'] },
      measures: {
        opening_receivables: level('Receivables before the period'),
        billed: flow('Charges'),
        adjusted: flow('Adjustments'),
        tax: flow('Tax'),
        credits_granted: flow('Credit granted, negative'),
        credits_issued: flow('Customer credit issued'),
        credits_applied: flow('Customer credit applied, negative'),
        transferred: flow('Balances that parent accounts took over; they add up to 0 over all customers'),
        suspense: flow('Balances that came from accounts that do not count'),
        collected: flow('Payments'),
        refunded: flow('Refunds, negative'),
        charged_back: flow('Chargebacks, negative'),
        written_off: flow('Change of bad debt'),
        fx_difference: flow(
          'Difference of exchange rates between the valuation of balances and their postings; 0 in one currency',
        ),
        closing_receivables: level('Receivables at the end of the period'),
      },
      rows: MOVEMENT_ROWS,
      read: readMovements,
    }),
    cash: defineFigure({
      shows: 'totals',
      summary: 'Payments, refunds and chargebacks of each period',
      inputs: CUSTOMER_INPUTS,
      measures: {
        collected: cents('Payments of invoices', FLOW),
        refunded: flow('Refunds, negative'),
        charged_back: flow('Chargebacks, negative'),
        net: cents('Collected, refunded and charged back together', FLOW),
      },
      rows: CASH_ROWS,
      read: readCash,
    }),
    credits: defineFigure({
      shows: 'totals',
      summary: 'Customer credit of each period',
      inputs: CUSTOMER_INPUTS,
      measures: {
        opening_credits: level('Customer credit before the period'),
        credits_issued: flow('Customer credit issued'),
        credits_applied: flow('Customer credit applied, negative'),
        closing_credits: level('Customer credit at the end of the period'),
        credits_granted: flow('Credit granted, negative: it lowers revenue'),
      },
      rows: CREDIT_ROWS,
      read: readCredits,
    }),
    trial_balance: defineList({
      shows: 'totals',
      summary: 'Debit and credit of each account at the end of a day, or of a range',
      inputs: BOOKS_INPUTS,
      keys: { account: z.enum(ACCOUNTS).describe('Account') },
      measures: {
        // An account has its balance on one side. In some groups that may be the other one.
        debit: notAdditive(level('Debit balance')),
        credit: notAdditive(level('Credit balance')),
      },
      is_comparable: false,
      read: readTrialBalance,
    }),
    corrections: CORRECTIONS,
    mrr_bridge: MRR_BRIDGE,
    deferred: DEFERRED,
    dso: defineFigure({
      shows: 'totals',
      words: ['days_sales_outstanding', 'collection_period'],
      summary: 'Days sales outstanding and collection period at the end of a day',
      inputs: { ...BALANCE_INPUTS, own_parameters: ['receivables_rate', 'known_at'] },
      measures: {
        dso: quotient('Receivables / billings of the last 90 days × 90, in days; null without billings', {
          label: 'DSO',
          good: 'down',
        }),
        collection_period: quotient(
          'Days from the issue to the payment of invoices paid in the last 90 days, weighted by what was paid; null without payments',
          { good: 'down' },
        ),
        receivables: cents('Receivables at the end of the day', { good: 'down' }),
        billings: cents('Charges, adjustments and tax of the last 90 days'),
        paid: cents('Payments of the invoices that were paid in the last 90 days'),
      },
      rows: DSO_ROWS,
      read: readDso,
    }),
    collections: defineFigure({
      shows: 'totals',
      words: ['dunning', 'payment_recovery', 'failed_payments'],
      summary: 'Attempts to collect invoices by the period of the first attempt, and what was recovered after a failure',
      inputs: ATTEMPT_INPUTS,
      reads: ['ledger_attempt', 'ledger_payer'],
      measures: {
        invoices_attempted: count('Invoices whose first attempt was in the period', { ...FLOW, good: 'neither' }),
        first_attempt_failed: count('Those of them whose first attempt failed', { ...FLOW, good: 'down' }),
        first_attempt_failed_amount: cents('What these first attempts asked for', { ...FLOW, good: 'down' }),
        recovered: count('Those of them that a payment paid in full within the recovery window', FLOW),
        recovery_rate: share('Recovered / first_attempt_failed; null if none failed', {
          top: ['recovered'],
          bottom: ['first_attempt_failed'],
        }),
        median_days_to_recover: quotient('Median days from the first failure to the payment, of recovered invoices', {
          good: 'down',
        }),
        attempts: count('All attempts of the attempted invoices, also later ones', { ...FLOW, good: 'neither' }),
        failed_attempts: count('Those of them that failed', { ...FLOW, good: 'down' }),
        never_attempted: count('Open invoices issued in the period that nobody has tried to collect', { ...FLOW, good: 'down' }),
      },
      settlesIn: (request, definitions) => optionsOf({ request, definitions }).recovery_window,
      rows: COLLECTION_ROWS,
      read: readCollections,
    }),
  },
  routes: [
    {
      path: 'ledger/revenue',
      query_type: 'revenue',
      command: { description: 'Billed, recognized and deferred revenue of each period' },
    },
    {
      path: 'ledger/recognized',
      query_type: 'recognized',
      command: { description: 'Recognized revenue of a range, as one number' },
    },
    { path: 'ledger/deferred', query_type: 'deferred', command: { description: 'Deferred revenue by the months to come' } },
    { path: 'ledger/waterfall', query_type: 'waterfall', command: { description: 'Recognized revenue by month of posting' } },
    { path: 'ledger/receivables', query_type: 'receivables', command: { description: 'Receivables by age, on any past day' } },
    {
      path: 'ledger/receivables/movements',
      query_type: 'movements',
      command: { named: 'ledger movements', description: 'Movements of receivables' },
    },
    { path: 'ledger/cash', query_type: 'cash', command: { description: 'Payments, refunds and chargebacks' } },
    { path: 'ledger/credits', query_type: 'credits', command: { description: 'Customer credit' } },
    { path: 'ledger/trial-balance', query_type: 'trial_balance', command: { description: 'Debit and credit of each account' } },
    {
      path: 'ledger/mrr-bridge',
      query_type: 'mrr_bridge',
      command: { description: 'From MRR to recognized revenue of a month' },
    },
    { path: 'ledger/dso', query_type: 'dso', command: { description: 'Days sales outstanding and collection period' } },
    {
      path: 'ledger/collections',
      query_type: 'collections',
      command: { description: 'Failed payments, and what was recovered after them' },
    },
    { path: 'ledger/corrections', query_type: 'corrections', command: { description: 'What changed since a month was closed' } },
  ],
  docs: {
    formula:
      'Recognized revenue of a charge up to a day = net × done / whole: its amount with the adjustments known on the day, its kept service days up to the day, and all of them. Deferred revenue is what is posted and not recognized, unbilled receivables what is recognized and not posted.',
    assumptions: [
      'Nothing is restated: an adjustment changes the days to come, and its part for days that have passed counts on its own day. A void takes everything back on its day.',
      'Days are those of the account. The time zone of the definitions has no effect.',
      'A balance is open until it is paid, written off or voided. A past day uses nothing that came after it.',
    ],
    edge_cases: [
      'A refund or a chargeback without an adjustment opens the invoice again. `reopened` is that part of the balance.',
      'Credit lowers revenue once, when it is granted. A charge that credit pays is revenue in full.',
      'A charge without a period has one day, the later of its start and its posting.',
    ],
    example: {
      text: 'Charges of 1089.00 are posted in January. 116.80 is revenue of that month, of which 6.00 is usage that is invoiced in February. 978.20 is deferred.',
      params: { start: '2025-01-01', end: '2025-02-28' },
      answer: [
        {
          period: '2025-01-01',
          opening_deferred: 0,
          billed: 108900,
          adjusted: 0,
          recognized: 11680,
          catch_up: 0,
          late: 0,
          other_income: 0,
          opening_unbilled: 0,
          closing_unbilled: 600,
          closing_deferred: 97820,
        },
        {
          period: '2025-02-01',
          opening_deferred: 97820,
          billed: 20500,
          adjusted: 0,
          recognized: 27913,
          catch_up: 0,
          late: 0,
          other_income: 0,
          opening_unbilled: 600,
          closing_unbilled: 900,
          closing_deferred: 90707,
        },
      ],
    },
  },
})
