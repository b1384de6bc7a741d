import * as z from 'zod'
import { amount } from '../../core/amount.ts'
import { POSTED_ACCOUNTS } from '../../core/ledger-accounts.ts'
import { REVENUE_KINDS } from '../../core/ledger-options.ts'
import { ENTRY_KINDS } from '../../metrics/ledger/journal.ts'

const text = z.string().nullable()
const day = z.string().meta({ format: 'date' })
const cents = (description: string) => amount(z.number().int().describe(description))

/** An invoice that was open at the end of a day. */
export const OPEN_INVOICE_ROW = z
  .strictObject({
    invoice_id: text.describe('Null for a part that a parent account took over and that belongs to no open invoice'),
    number: text,
    customer_id: z.string(),
    customer_name: text,
    source_id: z.string().describe('Id of the tenant of the engine'),
    tenant: text,
    currency: z.string(),
    issued_on: day.describe('The later of the day of the invoice and the day on which it became final'),
    due_on: day.describe('Due day of the billing engine, else `net_terms` days after the issue'),
    days_past_due: z.number().int().describe('Negative before the due day'),
    age: z.string().describe('current, 1-30, 31-60, 61-90 or over-90, or as `buckets` says'),
    total_cents: cents('Items that were posted by the day, less what a parent account took over'),
    paid_cents: cents('Payments by the day, less refunds and chargebacks'),
    balance_cents: cents('Open balance at the end of the day'),
    reopened_cents: cents('Part of the balance that refunds and chargebacks opened again'),
    balance_base_cents: amount(
      z
        .number()
        .int()
        .nullable()
        .describe(
          'Open balance in base cents, at the rate of the issue or of the day as `receivables_rate` says; null without that rate',
        ),
    ),
    admin_url: text.describe("The customer's page in the billing system; null if the connector has no address for it"),
  })
  .meta({ id: 'OpenInvoice', description: 'An invoice that was open at the end of a day' })

export type OpenInvoice = z.infer<typeof OPEN_INVOICE_ROW>

const OF_CHARGE = {
  charge_id: z.string().describe('Id of the item, or of an adjustment whose charge is not in the books'),
  invoice_id: text,
  number: text.describe('Number of the invoice'),
  customer_id: z.string(),
  customer_name: text,
  source_id: z.string().describe('Id of the tenant of the engine'),
  tenant: text,
  subscription_id: text,
  plan: text,
  kind: z.enum(REVENUE_KINDS),
  currency: z.string(),
  posted_on: day,
  starts_on: day.nullable().describe('First service day, as the item states it; null if it states none'),
  ends_on: day.nullable().describe('Day after the last service day, as the item states it'),
  charged_cents: cents('The charge without its adjustments'),
}

/** Revenue of a charge in a month. */
export const SCHEDULE_ROW = z
  .strictObject({
    ...OF_CHARGE,
    month: day.describe('First day of the month'),
    net_cents: cents('The charge with the adjustments that are known at the end of the month'),
    done: z.number().int().describe('Kept service days up to the end of the month; with `spread=month` months that have begun'),
    whole: z.number().int().describe('All kept service days or months; 0 if everything is recognized at once'),
    recognized_cents: cents('Recognized in the month'),
    recognized_so_far_cents: cents('Recognized up to the end of the month: net × done / whole'),
    deferred_cents: cents('Posted and not recognized at the end of the month'),
    unbilled_cents: cents('Recognized and not posted at the end of the month'),
  })
  .meta({ id: 'ScheduleMonth', description: 'Revenue of a charge in a month' })

/** A stretch of days in which nothing about a charge changes. */
export const CHARGE_VERSION = z
  .strictObject({
    charge_id: z.string(),
    currency: z.string(),
    known_from: day.describe('First day on which the books know the charge like this'),
    known_to: day.nullable().describe('Day from which on they know it otherwise'),
    net_cents: cents('The charge with the adjustments that are known on these days'),
    whole: z.number().int().describe('Kept service days, or with `spread=month` months; 0 if everything is recognized at once'),
    kept: z
      .array(z.strictObject({ starts_on: day, ends_on: day.describe('Day after the last one') }))
      .describe('Stretches of kept service days'),
  })
  .meta({ id: 'ChargeVersion', description: 'A charge with the adjustments that are known on some days' })

export type ScheduleRow = z.infer<typeof SCHEDULE_ROW>
export type ChargeVersion = z.infer<typeof CHARGE_VERSION>

/** A line of a journal. */
export const JOURNAL_LINE = z
  .strictObject({
    entry: z.string().describe('Id of the entry. It stays the same, so a second import can be told'),
    date: day,
    kind: z.enum(ENTRY_KINDS),
    account: z.enum(POSTED_ACCOUNTS),
    account_name: z.string().describe('Name or code in `[ledger.accounts]`, else our name'),
    currency: z.string(),
    debit_cents: cents('Debit'),
    credit_cents: cents('Credit'),
    memo: z.string(),
    customer_id: text.describe('Null if the entry is a sum'),
    customer_name: text,
    invoice_id: text,
  })
  .meta({ id: 'JournalLine', description: 'A line of a journal entry. The lines of an entry have equal debit and credit' })

export type JournalLine = z.infer<typeof JOURNAL_LINE>
