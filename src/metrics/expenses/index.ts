import { EXPENSE_DIMENSIONS, TXN_DATE_FIELD } from '../../query/dimensions/expense.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { defineMetric } from '../define-metric.ts'
import { byAccountTypeQuery, byVendorQuery, seriesQuery, totalQuery } from './queries.ts'

const INPUTS: QueryInputs = {
  ...RANGE_INPUTS,
  dimensions: EXPENSE_DIMENSIONS,
  can_group: true,
  time_fields: [TXN_DATE_FIELD],
}

/** What was bought, from the books in the side store (http-api.md 3.6). */
export const metric = defineMetric({
  name: 'expenses',
  summary: 'Lines of bills and expenses, by the day of the document',
  depends_on: [],
  reads: [],
  time_fields: [TXN_DATE_FIELD],
  queries: {
    total: totalQuery({ ...INPUTS, dates: 'open_range' }),
    by_account_type: byAccountTypeQuery(INPUTS),
    by_vendor: byVendorQuery(INPUTS),
    series: seriesQuery(INPUTS),
  },
  routes: [
    {
      path: 'expenses',
      command: {
        description: 'All expenses, of all time unless days are named',
      },
    },
    { path: 'expenses/by_account_type', query_type: 'by_account_type' },
    { path: 'expenses/by_vendor', query_type: 'by_vendor' },
    { path: 'expenses/series', query_type: 'series' },
  ],
  docs: {
    formula:
      'Expenses = sum of the lines of bills and direct expenses whose document is dated in the range, in base cents. Lines of vendor credits and refunds are negative.',
    assumptions: [
      'All types of accounts are added up; by account type they stand apart. The type is that of the account on which the line is booked, now.',
      'Amounts are net of tax, as the books record them. A bill counts on its own day, whether it is paid or not; paying it adds nothing.',
      'Each line is converted and rounded by itself: at the rate that the document states where the books are kept in the base currency, else at the exchange rate of its day as it is known now.',
      'Voided and deleted documents do not count, nor do journal entries.',
      'Documents dated after today do not count yet.',
    ],
    edge_cases: [
      'A line whose account is not known has the account type unknown; one without a vendor stands under (unassigned).',
      'A line without an exchange rate fails the request, one of 0 needs none.',
      'The total of nothing is 0; without any connection or import the request fails and says how to get one.',
      'There are no customers in the books: segments and attributes do not apply.',
    ],
    example: {
      text: 'In March 2025 the hosting bill of 400.00 (cogs), a bill of 90.00 EUR for advertising at 1.20 (expense) and a laptop of 1200.00 (asset) came in; 50.00 of hosting was credited.',
      params: {
        query_type: 'by_account_type',
        start: '2025-03-01',
        end: '2025-03-31',
      },
      answer: [
        { account_type: 'asset', amount_base_cents: 120000, line_count: 1 },
        { account_type: 'cogs', amount_base_cents: 35000, line_count: 2 },
        { account_type: 'expense', amount_base_cents: 10800, line_count: 1 },
      ],
    },
  },
})
