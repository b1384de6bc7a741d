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

/** Expenses from the books in the store (http-api.md 3.6). */
export const metric = defineMetric({
  name: 'expenses',
  summary: 'Lines of bills and expenses, by document date',
  words: ['costs', 'cogs'],
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
        description: 'All expenses; of all time unless you name days',
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
      'The total covers all account types; the other queries separate them. The type is the current type of the account on which the line is booked.',
      'Amounts are net of tax, as the books record them. A bill counts on its date, paid or not. Paying it adds nothing.',
      'Each line is converted and rounded separately. If the books are kept in the base currency, the rate is the one on the document. Otherwise it is the exchange rate of the document date, as known today.',
      'Voided documents, deleted documents and journal entries do not count.',
      'Documents dated after today do not count yet.',
    ],
    edge_cases: [
      'A line without a known account has the account type unknown. A line without a vendor is listed under (unassigned).',
      'A line without an exchange rate fails the request. A line of 0 needs none.',
      'Without lines the total is 0. Without a connection or an import the request fails and explains how to get one.',
      'Books have no customers, so segments and attributes do not apply.',
    ],
    example: {
      text: 'In March 2025 there is a hosting bill of 400.00 (cogs), an advertising bill of 90.00 EUR at 1.20 (expense) and a laptop for 1200.00 (asset). 50.00 of hosting is credited.',
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
