import { AppError, errorFromIssues } from '../../../core/errors.ts'
import type { Webhooks } from '../../../ports/accounting.ts'

/** What a platform sent: to which address, and the body byte by byte. */
export interface Delivery {
  /** Id of a source, or the name of a platform. */
  readonly address: string
  /** The source it is about, where the query string of a platform's address names one; the payload then decides nothing. */
  readonly source_id: string | undefined
  readonly body: Uint8Array
  header(name: string): string | undefined
}

/**
 * Refuses what the platform has not sent: each secret that is configured is enforced, and without any only a platform that allows it is
 * believed. AppError `unauthorized`.
 */
export function checkGenuine({ header, body }: Delivery, webhooks: Webhooks): void {
  const { hasSecret, allowsUnsigned, signatureHeader, verifyBasic } = webhooks
  if (hasSecret && !webhooks.verifySignature(body, header(signatureHeader) ?? ''))
    throw refused(`Header ${signatureHeader} is missing or wrong.`)
  if (verifyBasic !== undefined) {
    const credentials = basicCredentials(header('authorization') ?? '')
    if (credentials === undefined || !webhooks.verifyBasic?.(...credentials))
      throw refused('HTTP Basic credentials are missing or wrong.')
  }
  if (!hasSecret && verifyBasic === undefined && !allowsUnsigned)
    throw refused('No secret is configured that webhooks of this platform could be known by.')
}

/** The JSON value of a body; an empty one is `{}`. AppError `invalid_json`. */
export function payloadOf({ body }: Delivery): unknown {
  if (body.byteLength === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not valid JSON in UTF-8.', { cause })
  }
}

/** The address or payload names no source. AppError `invalid_value`. */
export function unnamed(type: string): AppError {
  const message = `The payload does not say which source of ${type} it is about, and there is not just one: name it in "source_id".`
  return errorFromIssues([{ code: 'invalid_value', where: 'query.source_id', message, did_you_mean: [] }])
}

function basicCredentials(authorization: string): readonly [user: string, password: string] | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)]
}

function refused(detail: string): AppError {
  return new AppError('unauthorized', detail)
}
