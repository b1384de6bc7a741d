import { expect, it } from 'vitest'
import { distinctLabels, labelOf, labelOfField, namesOf, rawOf, rawTitle, valueLabel } from '../../src/web/format/labels.ts'
import { formatChange, formatShort, formatValue } from '../../src/web/format/numbers.ts'
import { pageSentence } from '../../src/web/format/sentences.ts'

it.each([
  ['cancel_reason', 'too_expensive', 'Too expensive'],
  ['cancel_reason', 'TOO_EXPENSIVE', 'Too expensive'],
  ['subscription.cancel_reason', 'missing-api', 'Missing API'],
  ['customer_country', 'US', 'United States'],
  ['customer.country', 'DE', 'Germany'],
  ['country', 'JP', 'Japan'],
  ['billing_period', 'MONTHLY', 'Monthly'],
  ['billing_period', 'THIRTY_DAYS', 'Every 30 days'],
  ['billing_period', 'BIANNUAL', 'Every 6 months'],
  ['billing_period', 'NO_BILLING_PERIOD', 'No billing period'],
  ['phase_type', 'EVERGREEN', 'Evergreen'],
  ['phase_type', 'fixedterm', 'Fixed term'],
  ['product_category', 'ADD_ON', 'Add-on'],
  ['movement_type', 'fx_effect', 'Exchange rates'],
  ['status', 'uncollectible', 'Uncollectible'],
  ['account_type', 'cogs', 'Cost of goods sold'],
  ['cohort_month', '2026-02-01', 'Feb 2026'],
])('%s %s is called %s, with the raw value on hover', (field, value, label) => {
  expect(valueLabel(value, field)).toBe(label)
  expect(rawTitle(value, field)).toBe(value)
})

it.each([
  // Users' own texts.
  ['attr.tier', 'too_expensive'],
  ['attr.country', 'US'],
  ['customer_name', 'too_expensive'],
  ['cancel_reason', 'We found a cheaper_one.'],
  ['cancel_reason', 'غالي_جدا'],
  ['cancel_reason', `${'a_'.repeat(60)}b`],
  ['vendor_name', 'US'],
  ['segment_name', 'no_value'],
  ['plan_id', 'pro_monthly'],
  ['source', 'csv-My_Books'],
  ['currency', 'USD'],
  ['source_id', 'US'],
  // Texts that are no code of a country.
  ['country', 'us'],
  ['country', 'United States'],
  ['country', 'ZZ'],
  ['country', 'QQ'],
  ['country', '\u202eSU'],
  ['customer_country', '__proto__'],
  ['status', '__proto__'],
  // Without a field nothing is known of the value.
  [undefined, 'US'],
])('%s %s stays as it is', (field, value) => {
  expect(valueLabel(value, field)).toBe(value)
  expect(rawTitle(value, field)).toBeUndefined()
})

it('a word that every object has is a word like any other', () => {
  expect(valueLabel('constructor', 'status')).toBe('Constructor')
  expect(valueLabel('constructor', 'cancel_reason')).toBe('Constructor')
  expect(valueLabel('toString', 'constructor')).toBe('toString')
})

it('null, empty text and true are groups of their own', () => {
  expect([null, undefined, '', true, false, 0].map((value) => valueLabel(value, 'cancel_reason'))).toEqual([
    'No value',
    'No value',
    'Empty',
    'Yes',
    'No',
    '0',
  ])
})

it('values with equal labels also show the raw value', () => {
  const labels = distinctLabels(['too_expensive', 'TOO_EXPENSIVE', 'bugs', 'too_expensive', null], 'cancel_reason')
  expect([...labels.values()]).toEqual(['Too expensive (too_expensive)', 'Too expensive (TOO_EXPENSIVE)', 'Bugs', 'No value'])
})

it('two groups with equal labels have two names, and a name with its raw values', () => {
  const groups = ['customer_country', 'cancel_reason']
  const rows = [
    { customer_country: 'US', cancel_reason: 'too_expensive' },
    { customer_country: 'US', cancel_reason: 'TOO_EXPENSIVE' },
    { customer_country: null, cancel_reason: null },
  ]
  expect(rows.map(namesOf(rows, groups))).toEqual([
    'United States · Too expensive (too_expensive)',
    'United States · Too expensive (TOO_EXPENSIVE)',
    'No value · No value',
  ])
  expect(rows.map((row) => rawOf(row, groups))).toEqual(['US · too_expensive', 'US · TOO_EXPENSIVE', undefined])
})

it('three dollars in one table have three signs, and yen no decimals', () => {
  const amounts = ['USD', 'CAD', 'AUD', 'EUR', 'JPY'].map((currency) => formatValue(123456, 'money', { currency, precise: true }))
  expect(amounts).toEqual(['$1,234.56', 'CA$1,234.56', 'A$1,234.56', '€1,234.56', '¥1,235'])
  expect(formatShort(123456, 'money', 'CAD')).toBe('CA$1.2K')
})

it('a currency that is none leaves the number', () => {
  for (const currency of ['', 'XX', 'constructor', '$$$']) expect(formatValue(100, 'money', { currency })).toBe('1')
})

it('a negative number has the true minus sign in every form', () => {
  const style = { currency: 'USD' }
  expect([
    formatValue(-123456, 'money', style),
    formatValue(-0.05, 'fraction'),
    formatChange(-0.05, 'fraction'),
    formatShort(-123456, 'money', 'USD'),
    formatShort(-0.5, 'fraction', 'USD'),
    formatShort(-5, 'count', 'USD'),
  ]).toEqual(['−$1,235', '−5.0%', '−5.0 pp', '−$1.2K', '−50%', '−5'])
})

it.each([
  [
    'MRR rose by 2,757.92 USD from 2026-10-01 to 2026-10-31, from 45,760.90 to 48,518.82 USD.',
    'MRR rose by $2,757.92 from Oct 1, 2026 to Oct 31, 2026, from $45,760.90 to $48,518.82.',
  ],
  ['MRR stayed at 0.00 USD on 2026-02-28.', 'MRR stayed at $0.00 on Feb 28, 2026.'],
  [
    'Cancellations, ends and pauses took 712.65 USD, mostly from pro_2026-01-01: 2 of 12 movements.',
    'Cancellations, ends and pauses took $712.65, mostly from pro_2026-01-01: 2 of 12 movements.',
  ],
  ['The plan that moved most is 2026-01-01-pro: +1,098.75 USD.', 'The plan that moved most is 2026-01-01-pro: +$1,098.75.'],
  ['The plan that moved most is constructor: -98.75 USD.', 'The plan that moved most is constructor: −$98.75.'],
  ['Expansion added 5 USDT, all from 7,5 EUR: 1 movement.', 'Expansion added 5 USDT, all from 7,5 EUR: 1 movement.'],
])('a sentence of the API has days and amounts as in tables: %s', (sentence, shown) => {
  expect(pageSentence(sentence, 'USD')).toBe(shown)
})

it('a sentence without a currency keeps its amounts', () => {
  expect(pageSentence('MRR rose by 5.00 USD on 2026-02-28, from 1.00 to 6.00 USD.', '')).toBe(
    'MRR rose by 5.00 USD on Feb 28, 2026, from 1.00 to 6.00 USD.',
  )
})

it.each([
  ['attr.signed_at', 'Signed at'],
  ['attr.tag.AUTO_INVOICING_OFF', 'Tag: Auto invoicing off'],
  ['attr.tag.__PARK__', 'Tag: Park'],
  ['attr.tag.vip', 'Tag: vip'],
  ['attr.tag.VIP', 'Tag: VIP'],
  ['attr.constructor', 'Constructor'],
  ['attr.__proto__', 'Proto'],
  ['attr.', ''],
])('the field %s is called %s', (key, name) => {
  expect(labelOf(key)).toBe(name)
  expect(labelOfField({ key, label: key.replace('attr.', '') })).toBe(name)
  expect(labelOfField({ key, label: 'Own name_x' })).toBe('Own name_x')
})
