import * as z from 'zod'
import { WATCHED_MOVEMENTS, WATCHED_SERVICE, WEBHOOK_FORMS, WEEKDAYS } from '../../core/delivery.ts'
import { defineRecord } from './define-record.ts'
import { choice, ID, INSTANT, name, refusal, text, whole } from './fields.ts'

/** Most receivers of a delivery, and most parameters of a figure. */
const MOST_RECEIVERS = 20
const MOST_PARAMETERS = 40
/** Longest address of a webhook. */
const MOST_ADDRESS = 2_000
const MOST_CENTS = 2 ** 53 - 1

const hour = whole('when.hour', 0, 23, 'Hour on the clock of the zone')
const zone = text('when.zone', 1, 64).optional().describe('Time zone, such as Europe/Berlin. Default: that of the definitions')

const WHEN_TEXT = 'an object {"every": "day", "week" or "month", "hour": 0 to 23, …}'
const when = z
  .discriminatedUnion(
    'every',
    [
      z.strictObject({ every: z.literal('day'), hour, zone }),
      z.strictObject({ every: z.literal('week'), weekday: choice('when.weekday', WEEKDAYS), hour, zone }),
      z.strictObject({
        every: z.literal('month'),
        day: whole('when.day', 1, 31, 'Day of the month. A month that lacks it has its last day instead'),
        hour,
        zone,
      }),
    ],
    { error: refusal('when', WHEN_TEXT) },
  )
  .meta({ id: 'DeliverySchedule', description: 'An hour of days, weeks or months on the clock of a zone' })

const RECEIVER_TEXT = 'an object {"kind": "mail", "slack" or "webhook", …}'
const receiver = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('mail'), address: text('address', 3, 320).describe('An address of `mail.domains`') }),
      z.strictObject({ kind: z.literal('slack') }),
      z.strictObject({
        kind: z.literal('webhook'),
        form: choice('form', WEBHOOK_FORMS),
        url: text('url', 1, MOST_ADDRESS).optional().describe('Its address, https://…. It is a secret, and no answer has it'),
        id: text('id', 1, 64).optional().describe('In a change, the id of a webhook that stays, in place of `url`'),
      }),
    ],
    { error: refusal('to', RECEIVER_TEXT) },
  )
  .meta({
    id: 'ReceiverToSave',
    description: 'A receiver: a mail address, the configured channel of Slack, or a webhook of Slack, Teams or your own',
  })

const RECEIVERS = refusal('to', `a list of 1 to ${MOST_RECEIVERS} receivers`)
const to = z.array(receiver, { error: RECEIVERS }).min(1, { error: RECEIVERS }).max(MOST_RECEIVERS, { error: RECEIVERS })

const SHOWN_RECEIVER = z
  .object({
    kind: z.enum(['mail', 'slack', 'webhook']),
    address: z.string().optional().describe('Of a mail'),
    id: z.string().optional().describe('Of a webhook'),
    form: z.enum(WEBHOOK_FORMS).optional().describe('Of a webhook'),
    host: z.string().optional().describe('Host of a webhook. The rest of its address is a secret'),
  })
  .meta({ id: 'Receiver', description: 'A receiver, without secrets' })

const value = z.union([z.string(), z.array(z.string()).max(100)])
const params = z
  .record(z.string(), value, { error: refusal('condition.params', 'an object of texts, and lists of texts') })
  .refine(
    (given) => Object.keys(given).length <= MOST_PARAMETERS,
    `"condition.params" must have at most ${MOST_PARAMETERS} names.`,
  )

const FIGURE = {
  kind: z.literal('figure'),
  metric: text('condition.metric', 1, 64).describe('Name of the metric, such as `churn`, or `summary`'),
  params: params.describe('Its parameters as in a query string, such as `{"query_type": "revenue", "range": "last-month"}`'),
  field: text('condition.field', 1, 64)
    .optional()
    .describe('The figure of an answer that has several, such as `mrr` of the summary'),
  is: choice('condition.is', ['above', 'below']),
  against: choice('condition.against', ['value', 'before'])
    .optional()
    .describe('`value` (default): the figure itself. `before`: its change since the period before, as a fraction'),
  value: z
    .number({ error: refusal('condition.value', 'a number') })
    .describe('In the unit of the figure: cents, a fraction or a count'),
  hold: whole('condition.hold', 1, 100, 'Runs in a row for which it must hold. Default: 1').optional(),
}
const movement = choice('condition.movements', WATCHED_MOVEMENTS)
const ROWS = {
  kind: z.literal('rows'),
  movements: z
    .array(movement, { error: refusal('condition.movements', 'a list of movements') })
    .min(1)
    .max(WATCHED_MOVEMENTS.length),
  least_cents: whole(
    'condition.least_cents',
    0,
    MOST_CENTS,
    'Least amount of a movement, gain or loss, in cents of the base currency',
  ),
}
const watched = choice('condition.checks', WATCHED_SERVICE)
const SERVICE = {
  kind: z.literal('service'),
  checks: z
    .array(watched, { error: refusal('condition.checks', 'a list of checks') })
    .min(1)
    .max(WATCHED_SERVICE.length),
}
const CONDITION_TEXT = 'an object {"kind": "figure", "rows" or "service", …}'
const condition = z.discriminatedUnion('kind', [z.strictObject(FIGURE), z.strictObject(ROWS), z.strictObject(SERVICE)], {
  error: refusal('condition', CONDITION_TEXT),
})

/** A run of a delivery in an answer. */
export const DELIVERY_RUN = z
  .object({
    slot: z.string().describe('The local hour, such as `2026-11-30T07:00`'),
    due_at: INSTANT,
    status: z
      .enum(['waiting', 'sent', 'silent', 'failed', 'missed'])
      .describe('`silent`: the condition did not call for a message. `missed`: the service did not run, or a later run came'),
    attempts: z.number().int(),
    started_at: INSTANT,
    finished_at: INSTANT.nullable(),
    next_attempt_at: INSTANT.nullable(),
    error: z.string().nullable().describe('Why it was not sent, or not yet'),
  })
  .meta({ id: 'DeliveryRun', description: 'A run of a delivery' })

/** A briefing that goes to people at a time, or an alert. */
export const DELIVERY = defineRecord('Delivery', {
  description: 'A briefing that is sent at a time, or an alert that is sent when its condition calls for it',
  fields: {
    name: name('name'),
    briefing: text('briefing', 1, 64).nullable().optional().describe('`weekly` or `board`. An alert may have none'),
    when,
    to,
    segment: text('segment', 1, 200).nullable().optional().describe('Id or name of a segment. Only its customers count'),
    condition: condition
      .nullable()
      .optional()
      .describe(
        'A delivery with a condition is an alert: it is sent when a figure crosses a value, for new rows, or for a state of the service',
      ),
    enabled: z
      .boolean({ error: refusal('enabled', 'true or false') })
      .optional()
      .describe('Default: true'),
  },
  answer: (fields) => ({
    id: ID,
    name: fields.name,
    briefing: fields.briefing,
    when: fields.when,
    to: z.array(SHOWN_RECEIVER).readonly(),
    segment: fields.segment,
    condition: fields.condition,
    enabled: z.boolean(),
    created_by: z.string().nullable(),
    created_at: INSTANT,
    updated_at: INSTANT,
    next_at: INSTANT.nullable().describe('Its next run. Null if it is off'),
    // A named schema that may be null loses the null in the document.
    last_run: z.union([DELIVERY_RUN, z.null()]),
  }),
})
