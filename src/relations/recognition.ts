import { CURRENCY, OF_CUSTOMER } from './books.ts'
import { column, defineRelation, nullable } from './define-relation.ts'

const OF_CHARGE = column('charge_id', 'text', 'Key of the charge, or of an adjustment without one.')
const KIND = column('charge_kind', 'text', 'Kind of the charge.')
const NAMES = [
  nullable('invoice_id', 'text', 'Invoice of the charge.'),
  nullable('subscription_id', 'text', 'Joins `subscription`.'),
  nullable('plan', 'text', 'Plan of the charge.'),
  KIND,
  CURRENCY,
  column('posted_on', 'date', 'Day on which the charge was posted.'),
  column('posted_day', 'integer', 'The same as a number.'),
]

/** Attributes that all relations of recognition share. Days are numbers since 1970-01-01. */
const DERIVED = { kind: 'derived', has_window: false } as const

/** Charges and adjustments that the books know (R6 to R8). */
export const chargePart = defineRelation({
  ...DERIVED,
  name: 'charge_part',
  description:
    'One row per charge and adjustment that `:known_on` knows, with the days of the charge as numbers since 1970-01-01.',
  grain: ['charge_id', 'part_on', 'amount_cents', 'cut_from', 'is_charge'],
  columns: [
    OF_CUSTOMER,
    OF_CHARGE,
    ...NAMES,
    column('charged_cents', 'integer', 'The charge itself, in original cents; 0 for an adjustment without one.'),
    column('is_charge', 'integer', '1 for the charge, and for an adjustment without one.'),
    column('first_day', 'integer', 'First service day.'),
    column('end_day', 'integer', 'Day after the last service day.'),
    column('gone_day', 'integer', 'Day of the void of the charge, else far in the future.'),
    column('amount_cents', 'integer', 'Amount of the row in original cents.'),
    column('part_currency', 'text', 'Currency of the row, which an adjustment has from its own invoice.'),
    column('part_on', 'date', 'Day on which the row was posted.'),
    column('from_day', 'integer', 'First day on which it counts.'),
    column('to_day', 'integer', 'Day from which on it does not count.'),
    column('cut_from', 'integer', 'First service day that it takes away.'),
    column('cut_to', 'integer', 'Day after the last one; not after the first if it takes away none.'),
  ],
})

/** A charge with its adjustments, from each day on which they change (R5, R9). */
export const chargeVersion = defineRelation({
  ...DERIVED,
  name: 'charge_version',
  description:
    'One row per charge and stretch of days [known_from, known_to) in which nothing about it changes. Days are numbers.',
  grain: ['charge_id', 'known_from'],
  columns: [
    OF_CUSTOMER,
    OF_CHARGE,
    ...NAMES,
    column('charged_cents', 'integer', 'The charge itself, in original cents; 0 for an adjustment without one.'),
    column('known_from', 'integer', 'First day of the version.'),
    column('known_to', 'integer', 'Day after its last.'),
    column('net_cents', 'integer', 'Charge with its adjustments, in original cents.'),
    nullable('net_base_cents', 'integer', 'The same in base cents, each at its own rate (R24).'),
    column('unrated', 'integer', 'Number of missing rates.'),
    column('first_day', 'integer', 'First service day.'),
    column('end_day', 'integer', 'Day after the last service day.'),
    column('is_at_once', 'integer', '1 if everything is recognized at once.'),
    column('is_plain', 'integer', '1 for the only version of a charge without an adjustment and without a void.'),
  ],
})

/** Recognition of charges (R5 to R9). */
export const keptStretch = defineRelation({
  ...DERIVED,
  name: 'kept_stretch',
  description:
    'One row per charge, version [known_from, known_to) and stretch of kept days. On day D, the stretch with begins_on <= D < next_on has recognized net * done / whole, where done is days_before and the days of the stretch up to D. Days are numbers since 1970-01-01.',
  grain: ['charge_id', 'known_from', 'begins_on'],
  columns: [
    OF_CUSTOMER,
    OF_CHARGE,
    ...NAMES,
    column('charged_cents', 'integer', 'The charge itself, in original cents; 0 for an adjustment without one.'),
    nullable('charged_base_cents', 'integer', 'The same in base cents.'),
    column('known_from', 'integer', 'First day of the version.'),
    column('known_to', 'integer', 'Day after its last.'),
    column('net_cents', 'integer', 'Charge with the adjustments that the version knows, in original cents.'),
    nullable('net_base_cents', 'integer', 'The same in base cents, each at its own rate (R24).'),
    column('unrated', 'integer', '1 if a rate is missing.'),
    column('whole', 'integer', 'Kept days; 0 if everything is recognized at once.'),
    column('begins_on', 'integer', 'First day of the row.'),
    column('next_on', 'integer', 'Day after its last.'),
    column('starts_on', 'integer', 'First kept day of the stretch.'),
    column('days', 'integer', 'Its kept days.'),
    column('days_before', 'integer', 'Kept days before the stretch.'),
  ],
})

/** Revenue of charges on days (R9, R10, R12). */
export const ledgerState = defineRelation({
  ...DERIVED,
  name: 'ledger_state',
  description:
    'One row per charge and day of `ledger_day` that has to do with it: its state at the end of the day, and what it had recognized before the period.',
  grain: ['charge_id', 'day_index', 'is_at', 'at_cents', 'before_cents'],
  columns: [
    OF_CUSTOMER,
    OF_CHARGE,
    ...NAMES,
    column('day_index', 'integer', 'Day of `ledger_day`.'),
    column('unrated', 'integer', '1 if a rate is missing.'),
    column('whole', 'integer', 'Kept days; 0 if everything is recognized at once.'),
    column('done_at', 'integer', 'Kept days up to the day.'),
    column('net_cents', 'integer', 'Charge with its adjustments.'),
    column('is_at', 'integer', '1 if the row has the state at the end of the day.'),
    column('is_posted', 'integer', '1 if the charge is posted by the day.'),
    column('charged_cents', 'integer', 'The charge itself once it is posted.'),
    nullable('charged_base_cents', 'integer', 'The same in base cents.'),
    column('at_cents', 'integer', 'Recognized by the end of the day.'),
    nullable('at_base_cents', 'integer', 'The same in base cents.'),
    column('before_cents', 'integer', 'Recognized before the period, as known at the end of the day.'),
    nullable('before_base_cents', 'integer', 'The same in base cents.'),
    column('deferred_cents', 'integer', 'Posted and not recognized.'),
    nullable('deferred_base_cents', 'integer', 'The same in base cents.'),
    column('unbilled_cents', 'integer', 'Recognized and not posted.'),
    nullable('unbilled_base_cents', 'integer', 'The same in base cents.'),
  ],
})
