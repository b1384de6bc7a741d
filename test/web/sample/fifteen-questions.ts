import { valueLabel } from '../../../src/web/format/labels.ts'
import { formatValue } from '../../../src/web/format/numbers.ts'
import { pageSentence } from '../../../src/web/format/sentences.ts'
import { type Click, choice, entry, figure, item, link, offered, point, type Walk, words } from './page-walks.ts'

type Row = Readonly<Record<string, unknown>>

const rows = (answer: unknown): readonly Row[] => (Array.isArray(answer) ? answer : [])
const listed = (answer: unknown) => answer as { readonly total: number; readonly rows: readonly Row[] }
const refused = (answer: unknown) => [[(answer as { readonly detail: string }).detail]]
const text = (row: Row, key: string) => ((row[key] ?? null) === null ? '' : valueLabel(row[key], key))
const cents = (row: Row, key: string) => formatValue(Number(row[key]), 'money', { currency: 'USD', precise: true })
const dollars = (row: Row, key: string) => formatValue(Number(row[key]), 'money', { currency: 'USD' })
const percent = (row: Row, key: string) => formatValue(Number(row[key]), 'fraction')
const falling = (answer: unknown, key: string) => [...rows(answer)].sort((one, other) => Number(other[key]) - Number(one[key]))

const days = (range: string): readonly Click[] => [choice('Last 12 months'), choice(range)]
const asked = (text: string, option: string): readonly Click[] => [choice('Search'), words(text), offered(option)]

/** The questions of docs/questions.md, from the Overview to the answer on the page, which must equal that of the API. */
export const FIFTEEN_QUESTIONS: readonly Walk[] = [
  {
    question: 'Which plan drives churn?',
    clicks: [figure('Revenue churn'), ...days('Last 3 months')],
    seen: { place: 'region', name: 'By plan' },
    expected: (answer) =>
      rows(answer)
        .filter((row) => row['is_rest'] === false)
        .map((row) => [text(row, 'plan_id'), percent(row, 'revenue_churn_rate'), cents(row, 'revenue_lost')]),
  },
  {
    question: 'What changed since last month?',
    clicks: [choice('Table', 'Movements')],
    seen: { place: 'region', name: 'Movements' },
    expected: (answer) => [
      ['Sep 2026', ...rows(answer).map((row) => cents(row, 'previous_amount_base'))],
      ['Oct 2026', ...rows(answer).map((row) => cents(row, 'amount_base'))],
    ],
  },
  {
    question: 'Who expanded most?',
    clicks: [choice('Table', 'Movements'), entry('Expansion in Oct 2026')],
    seen: { place: 'dialog', name: 'Expansion in Oct 2026' },
    // A customer with several movements has a row for each.
    expected: (answer) =>
      rows(answer).map((row) => [text(row, 'customer_name'), ...(row['event_count'] === 1 ? [cents(row, 'amount_base')] : [])]),
  },
  {
    question: 'Who are the top ten customers by MRR?',
    clicks: [link('Customers')],
    seen: { place: 'region', name: 'Customers' },
    expected: (answer) => listed(answer).rows.map((row) => [text(row, 'name'), cents(row, 'mrr_base_cents')]),
  },
  {
    question: 'Why did MRR fall in a month?',
    clicks: [...days('Last 24 months'), point('Sep 2025', 'Movements')],
    seen: { place: 'dialog', name: 'Movements in Sep 2025' },
    expected: (answer) =>
      (answer as { readonly sentences: readonly string[] }).sentences.map((sentence) => [pageSentence(sentence, 'USD')]),
  },
  {
    question: 'What is MRR by country, in euro customers only?',
    clicks: asked('mrr by country eur', 'MRR by country · Currency: EUR'),
    seen: { place: 'region', name: 'MRR' },
    expected: (answer) => falling(answer, 'mrr').map((row) => [text(row, 'customer_country'), cents(row, 'mrr')]),
  },
  {
    question: 'How do two segments compare over a year?',
    clicks: [link('Segments'), item('link', 'Compare in Explore')],
    seen: { place: 'region', name: 'Pivot table' },
    // A level at the end of a quarter is that of its last month.
    expected: (answer) =>
      ['Partners', 'Unhappy'].map((name) => [
        name,
        ...rows(answer).flatMap((row) => (row['segment_name'] === name ? [dollars(row, 'mrr')] : [])),
      ]),
  },
  {
    question: 'What is net churn by quarter?',
    clicks: [link('Retention'), choice('Interval: Month'), item('menuitemradio', 'Quarter')],
    seen: { place: 'region', name: 'Net revenue retention' },
    expected: (answer) => [rows(answer).map((row) => `${percent(row, 'retention_rate')} in `)],
  },
  {
    question: 'Why do they leave?',
    clicks: [link('Churn'), ...days('Last quarter')],
    seen: { place: 'region', name: 'By reason' },
    expected: (answer) =>
      falling(answer, 'churn_count').map((row) => [
        text(row, 'cancel_reason'),
        percent(row, 'logo_churn_rate'),
        text(row, 'churn_count'),
      ]),
  },
  {
    question: 'How much MRR is at risk?',
    clicks: [link('Churn')],
    seen: { place: 'region', name: 'MRR at risk' },
    expected: (answer) => falling(answer, 'mrr').map((row) => [text(row, 'plan_id'), cents(row, 'mrr')]),
  },
  {
    question: 'What is MRR by an attribute?',
    clicks: asked('mrr by channel', 'MRR by channel'),
    seen: { place: 'region', name: 'MRR' },
    expected: (answer) => falling(answer, 'mrr').map((row) => [text(row, 'attr.channel'), cents(row, 'mrr')]),
  },
  {
    question: 'What is LTV by plan?',
    clicks: [link('LTV'), choice('Group by'), item('option', 'Plan')],
    seen: { place: 'region', name: 'Lifetime value by plan' },
    expected: refused,
    isRefused: true,
  },
  {
    question: 'Which invoices are open for more than 30 days?',
    clicks: [choice('View invoices')],
    seen: { place: 'dialog', name: 'Invoices open for more than 30 days' },
    // The panel sorts by size.
    expected: (answer) => [[`${listed(answer).total} invoices`]],
  },
  {
    question: 'How do I get it into Excel?',
    clicks: [choice('More options for MRR'), item('menuitem', 'Download Excel')],
    seen: { place: 'file', name: '' },
    expected: (answer) => rows(answer).map((row) => [text(row, 'mrr')]),
  },
  {
    question: 'What will MRR be next month?',
    clicks: asked('mrr next month', 'MRR · Next month'),
    seen: { place: 'region', name: 'MRR' },
    expected: (answer) => rows(answer).map((row) => [cents(row, 'mrr')]),
  },
]
