import * as z from 'zod'
import { amount } from '../../../core/amount.ts'
import { ROW_MARK } from '../marks.ts'
import { NOTICE_KINDS } from './kinds.ts'

const text = (description: string) => z.string().nullable().describe(description)
const cents = (description: string) => amount(z.number().int().nullable().describe(description))

const UNKNOWN = 'null if a price, the amount or an exchange rate is unknown'

/** One thing that a person must look at (H6). */
export const NOTICE_ROW = z
  .strictObject({
    kind: z.enum(NOTICE_KINDS),
    customer_id: z.string(),
    customer_name: text('Name of the customer'),
    source_id: z.string().describe('Id of the tenant of the engine'),
    tenant: text('Name of the tenant'),
    subscription_id: text('Subscription; null for a customer or an invoice'),
    plan_id: text('Plan of the subscription'),
    invoice_id: text('Invoice; null for a customer or a subscription'),
    invoice_number: text('Number of the invoice'),
    since: text('Day since which it holds; null if it is unknown').meta({ format: 'date' }),
    currency: text('Currency of the amounts'),
    amount_cents: cents(`Open amount, once; ${UNKNOWN}`),
    amount_base_cents: cents(`Open amount in base cents; ${UNKNOWN}`),
    monthly_cents: cents(`Amount of a month that it concerns; ${UNKNOWN}`),
    monthly_base_cents: cents(`Amount of a month in base cents; ${UNKNOWN}`),
    sentence: z.string(),
    remedy: z.string().describe('What an operator can do in the billing engine'),
    admin_url: text("The customer's page in the billing system; null if the connector has no address for it"),
    mark: ROW_MARK.nullable().describe('Mark of a person; null without one'),
  })
  .meta({ id: 'BillingNotice', description: 'Something about billing that a person must look at' })

const MARKED = z
  .strictObject({
    count: z.number().int().nonnegative(),
    amount_base_cents: cents('Open amounts, in base cents; null if one is unknown'),
    monthly_base_cents: cents('Amounts of a month, in base cents; null if one is unknown'),
  })
  .meta({ id: 'BillingNoticesMarked', description: 'Rows that are marked as no error, which are in no other sum' })

/** The sums of one list. */
export const NOTICE_LIST = z
  .strictObject({
    kind: z.enum(NOTICE_KINDS),
    description: z.string(),
    count: z
      .number()
      .int()
      .nonnegative()
      .nullable()
      .describe('Rows of the list without those marked as no error; null if they are not known'),
    amount_base_cents: cents('Open amounts of these rows, in base cents; null if one is unknown'),
    monthly_base_cents: cents('Amounts of a month of these rows, in base cents; null if one is unknown'),
    seen: z.number().int().nonnegative().describe('Those of them that are marked as seen'),
    marked: MARKED,
  })
  .meta({ id: 'BillingNoticeList', description: 'The sums of one list of notices' })

export type Notice = z.infer<typeof NOTICE_ROW>
export type MarkedList = z.infer<typeof NOTICE_LIST>
/** The sums of a list without those of its marks. */
export type NoticeList = Omit<MarkedList, 'seen' | 'marked'>
