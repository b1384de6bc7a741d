import { randomUUID } from 'node:crypto'
import { isZone } from '../../core/calendar.ts'
import {
  type AlertCondition,
  type DeliveryRecord,
  type Receiver,
  receiverKey,
  type Schedule,
  type WebhookForm,
} from '../../core/delivery.ts'
import { AppError, errorFromIssues, type Issue } from '../../core/errors.ts'
import type { DeliverySecrets } from '../../engine/engine.ts'
import { bodyIssue } from '../../workspace/records/body.ts'
import type { DELIVERY } from '../../workspace/records/delivery.ts'
import type { ReceiverAddress } from './contract.ts'
import type { DeliveryParts } from './parts.ts'

type Body = ReturnType<typeof DELIVERY.change.parse>
type GivenReceiver = NonNullable<Body['to']>[number]

/** The fields of a delivery that a body states, in the form in which they are stored. */
export type Stated = Partial<Pick<DeliveryRecord, 'name' | 'briefing' | 'when' | 'to' | 'segment' | 'condition' | 'enabled'>>

/** A receiver with its address. `isNew`: it must accept a test message. */
interface Address {
  readonly receiver: Receiver
  readonly isNew: boolean
  readonly url?: string
}

/** Reads the fields of a body. AppError `validation_failed` with everything that is wrong. */
export function readStated(
  body: Body,
  parts: DeliveryParts,
  before: DeliveryRecord | undefined,
): { readonly stated: Stated; readonly addresses: readonly Address[] } {
  const issues: Issue[] = []
  const { when, to, condition, ...fields } = body
  const schedule = when === undefined ? undefined : ({ ...when, zone: when.zone ?? parts.definitions.time_zone } as Schedule)
  if (schedule !== undefined && !isZone(schedule.zone))
    issues.push(bodyIssue(['when', 'zone'], '"when.zone" must be the name of a time zone, such as Europe/Berlin.'))
  const names = parts.briefings.names()
  const briefing = fields.briefing === undefined ? (before?.briefing ?? null) : fields.briefing
  if (typeof fields.briefing === 'string' && !names.includes(fields.briefing))
    issues.push(bodyIssue(['briefing'], `"briefing" must be one of ${names.join(', ')}; got ${JSON.stringify(fields.briefing)}.`))
  const alert = condition === undefined ? (before?.condition ?? null) : completed(condition)
  if (briefing === null && alert === null)
    issues.push(bodyIssue(['briefing'], 'A delivery needs a briefing, a condition, or both.'))
  const addresses = to?.map((given, place) => addressOf(given, place, before, parts, issues)) ?? []
  const keys = addresses.map(({ receiver }) => receiverKey(receiver))
  for (const [place, key] of keys.entries())
    if (keys.indexOf(key) < place) issues.push(bodyIssue(['to', String(place)], 'This receiver is named twice.'))
  if (issues.length > 0) throw errorFromIssues(issues)
  const stated = {
    ...fields,
    ...(schedule !== undefined && { when: schedule }),
    ...(to !== undefined && { to: addresses.map(({ receiver }) => receiver) }),
    ...(condition !== undefined && { condition: alert }),
  }
  const sent = Object.entries(stated).filter(([, value]) => value !== undefined)
  return { stated: Object.fromEntries(sent) as Stated, addresses }
}

function completed(condition: NonNullable<Body['condition']> | null): AlertCondition | null {
  if (condition?.kind !== 'figure') return condition
  return { ...condition, against: condition.against ?? 'value', hold: condition.hold ?? 1 }
}

function addressOf(
  given: GivenReceiver,
  place: number,
  before: DeliveryRecord | undefined,
  { channels }: DeliveryParts,
  issues: Issue[],
): Address {
  const wrong = (field: string | undefined, message: string) =>
    void issues.push(bodyIssue(['to', String(place), ...(field === undefined ? [] : [field])], message))
  const check = (address: ReceiverAddress, field?: string) => {
    const problem = channels === undefined ? 'Nothing is sent from the sample data.' : channels.receiverProblem(address)
    if (problem !== undefined) wrong(field, problem)
  }
  const isKnown = (receiver: Receiver) => before?.to.some((each) => receiverKey(each) === receiverKey(receiver)) === true
  if (given.kind !== 'webhook') {
    check(given, given.kind === 'mail' ? 'address' : undefined)
    return { receiver: given, isNew: !isKnown(given) }
  }
  const { form, url, id } = given
  const kept = before?.to.find((each) => each.kind === 'webhook' && each.id === id && each.form === form)
  if (url === undefined && kept !== undefined) return { receiver: kept, isNew: false }
  if (url === undefined || id !== undefined)
    wrong('url', 'A new webhook needs a "url" and no "id"; one that stays needs its "id" and its "form".')
  else check({ kind: 'webhook', url }, 'url')
  return { receiver: newWebhook(form, url), isNew: true, ...(url !== undefined && { url }) }
}

function newWebhook(form: WebhookForm, url: string | undefined): Receiver {
  return { kind: 'webhook', id: randomUUID(), form, host: url !== undefined && URL.canParse(url) ? new URL(url).host : '' }
}

/** The addresses of the webhooks of a delivery after a change. */
export function urlsAfter(addresses: readonly Address[], { urls }: DeliverySecrets): DeliverySecrets['urls'] {
  return Object.fromEntries(
    addresses.flatMap(({ receiver, url }) => {
      if (receiver.kind !== 'webhook') return []
      const known = url ?? urls[receiver.id]
      return known === undefined ? [] : [[receiver.id, known] as const]
    }),
  )
}

/** A refusal of the question of a condition, in the words of the body. Other errors stay. */
export function conditionRefused(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status >= 500) return error
  const issues = error.issues ?? [{ where: 'params', message: error.message, did_you_mean: [] }]
  const places = issues.map(({ where, ...issue }) => ({
    ...issue,
    code: 'validation_failed' as const,
    where: where.startsWith('body.')
      ? where
      : `body.condition.${where.replace(/^(path|spec|params)\./, (part) => (part === 'path.' ? '' : 'params.'))}`,
  }))
  return errorFromIssues(places)
}
