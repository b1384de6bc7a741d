import { AppError, ConfigurationError } from '../../core/errors.ts'
import type { Channels } from '../../facades/deliveries/contract.ts'
import type { Config } from '../config/config.ts'
import { checkRecipients, recipientProblem, sendMail } from './mail.ts'
import { postToWebhook, webhookProblem } from './webhook.ts'

/** The channels of a configuration. */
export function channelsOf({ mail, slack, server, share }: Pick<Config, 'mail' | 'slack' | 'server' | 'share'>): Channels {
  const { public_origin, base_path } = server
  return {
    origin: public_origin === undefined ? undefined : `${public_origin}${base_path}`,
    check({ to, toSlack }) {
      if (to.length > 0 && mail.url === undefined)
        throw new ConfigurationError(['--mail needs mail.url, mail.from and mail.domains'])
      if (toSlack && slack.webhook === undefined) throw new ConfigurationError(['--slack needs slack.webhook'])
      checkRecipients(to, mail)
    },
    sendMail: (sent) => sendMail(sent, mail),
    postToSlack: (message, signal) => postToSlack(message, slack, signal),
    receiverProblem(receiver) {
      switch (receiver.kind) {
        case 'mail':
          return mail.url === undefined ? 'The configuration has no mail.url.' : recipientProblem(receiver.address, mail)
        case 'slack':
          return slack.webhook === undefined ? 'The configuration has no slack.webhook.' : undefined
        case 'webhook': {
          const problem = webhookProblem(receiver.url, share)
          return problem === undefined ? undefined : `The address cannot be used: ${problem}.`
        }
      }
    },
    post: (post, signal) => postToWebhook(post, share, signal),
  }
}

const TIMEOUT_MS = 10_000

/** Posts a message to the configured webhook. ConfigurationError without one; AppError `connector_unavailable` names the host, and no other part of the address. */
async function postToSlack(message: object, { webhook }: Config['slack'], signal: AbortSignal): Promise<void> {
  if (webhook === undefined) throw new ConfigurationError(['nothing can be sent to Slack: slack.webhook is not configured'])
  const { host } = new URL(webhook)
  const failed = (reason: string, cause?: unknown) =>
    new AppError('connector_unavailable', `The message cannot be sent to ${host}: ${reason}.`, { cause })
  try {
    const response = await fetch(webhook, {
      ...{ method: 'POST', body: JSON.stringify(message), headers: { 'content-type': 'application/json' } },
      // An address that leads elsewhere is not the channel that the operator has named.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (response.ok) return
    // A page about an error may quote the address.
    const [word] = /^[a-z_]{1,40}$/.exec((await response.text()).trim()) ?? []
    throw failed(`it answers with status ${response.status}${word === undefined ? '' : ` (${word})`}`)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: unknown } }
    throw failed(
      name === 'TimeoutError' ? `it takes longer than ${TIMEOUT_MS / 1000} s` : String(cause?.code ?? 'the connection failed'),
      error,
    )
  }
}
