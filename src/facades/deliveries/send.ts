import { createHmac } from 'node:crypto'
import type { DeliveryRecord, Receiver } from '../../core/delivery.ts'
import { AppError, isRefusal } from '../../core/errors.ts'
import type { DeliverySecrets } from '../../engine/engine.ts'
import type { Briefing } from '../presentation/briefing/briefing.ts'
import { briefingHtml } from '../presentation/briefing/html.ts'
import { briefingSlack } from '../presentation/briefing/slack.ts'
import { subjectOf } from '../presentation/briefing/subject.ts'
import { briefingTeams } from '../presentation/briefing/teams.ts'
import { briefingText } from '../presentation/briefing/text.ts'
import type { Channels, Post } from './contract.ts'

/** A message of a delivery for its receivers. `run` names it: it is the same if the message is sent again. */
export interface Message {
  readonly delivery: Pick<DeliveryRecord, 'id' | 'name'>
  readonly run: string
  readonly briefing: Briefing
}

/** Sends a message to one receiver. AppError `connector_unavailable`, ConfigurationError. */
export async function sendTo(
  receiver: Receiver,
  message: Message,
  { channels, secrets, signal }: { readonly channels: Channels; readonly secrets: DeliverySecrets; readonly signal: AbortSignal },
): Promise<void> {
  const { briefing, delivery, run } = message
  const { origin } = channels
  switch (receiver.kind) {
    case 'mail': {
      const [text, html] = [briefingText(briefing), briefingHtml(briefing, origin)]
      const key = `${delivery.id}.${run}`.replaceAll(/[^\w.-]/g, '-')
      return channels.sendMail({ to: [receiver.address], subject: subjectOf(briefing), text, html, key })
    }
    case 'slack':
      return channels.postToSlack(briefingSlack(briefing, origin), signal)
    case 'webhook': {
      const url = secrets.urls[receiver.id]
      if (url === undefined)
        throw new AppError('connector_unavailable', `The address of the webhook at ${receiver.host} is lost: enter it again.`)
      return channels.post({ url, ...bodyOf(receiver.form, message, origin, secrets) }, signal)
    }
  }
}

function bodyOf(
  form: 'slack' | 'teams' | 'json',
  message: Message,
  origin: string | undefined,
  { signing_key }: DeliverySecrets,
): Omit<Post, 'url'> {
  const { briefing } = message
  switch (form) {
    case 'slack':
      return { body: JSON.stringify(briefingSlack(briefing, origin)) }
    case 'teams':
      return { body: JSON.stringify(briefingTeams(briefing, origin)) }
    case 'json':
      return signed(JSON.stringify(jsonMessage(message, origin)), message, signing_key ?? '', new Date())
  }
}

/** The form of a message for programs: the briefing with its values, and the delivery that it belongs to. */
function jsonMessage({ delivery, run, briefing }: Message, origin: string | undefined) {
  return { delivery: { id: delivery.id, name: delivery.name }, run, ...(origin !== undefined && { origin }), briefing }
}

/** Signs a body with HMAC-SHA-256 over the timestamp, a dot and the body. */
function signed(body: string, { delivery, run }: Message, key: string, now: Date): Omit<Post, 'url'> {
  const timestamp = Math.floor(now.getTime() / 1_000)
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')
  return {
    body,
    headers: { 'x-plumbline-signature': `t=${timestamp},v1=${signature}`, 'x-plumbline-delivery': `${delivery.id}/${run}` },
  }
}

/** The text of a failure for callers and the store. Other errors may contain secrets. */
export function failureText(error: unknown): string {
  return isRefusal(error) ? error.message.replace(/\s+/g, ' ') : 'An internal error: see the log of the service.'
}
