import { AppError } from '../core/errors.ts'

/** Why a credential is refused, in a word for programs and the audit log. */
export type Refusal =
  | 'missing'
  | 'malformed'
  | 'unknown_key'
  | 'revoked'
  | 'expired'
  | 'not_yet_valid'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'wrong_signature'
  | 'invalid_token'

const SENTENCES: Readonly<Record<Refusal, string>> = {
  missing: 'This needs a credential: the header authorization with Bearer and an API key or a token.',
  malformed: 'The credential is neither an API key of this service nor a token that it takes.',
  unknown_key: 'There is no such API key here.',
  revoked: 'The API key was revoked.',
  expired: 'The credential has expired.',
  not_yet_valid: 'The token is not valid yet.',
  wrong_issuer: 'The token is of another issuer.',
  wrong_audience: 'The token is for another audience.',
  wrong_signature: 'No key of the issuer has signed the token.',
  invalid_token: 'The token is not one that this service takes.',
}

/** A credential that is missing or wrong; `reason` stands in the answer and in the audit log. */
export function unauthorized(reason: Refusal, cause?: unknown): AppError {
  return new AppError('unauthorized', SENTENCES[reason], { context: { reason }, ...(cause === undefined ? {} : { cause }) })
}
