import { AppError } from '../core/errors.ts'

/** Reason for refusing a credential, as a code for programs and the audit log. */
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
  missing: 'This needs a credential: send the header "Authorization: Bearer" with an API key or a token.',
  malformed: 'The credential is neither an API key of this service nor a token that it accepts.',
  unknown_key: 'This API key is unknown.',
  revoked: 'The API key was revoked.',
  expired: 'The credential has expired.',
  not_yet_valid: 'The token is not valid yet.',
  wrong_issuer: 'The token is from another issuer.',
  wrong_audience: 'The token is for another audience.',
  wrong_signature: 'The token is not signed with a key of the issuer.',
  invalid_token: 'This service does not accept this kind of token.',
}

/** A credential is missing or wrong. The answer and the audit log contain `reason`. */
export function unauthorized(reason: Refusal, cause?: unknown): AppError {
  return new AppError('unauthorized', SENTENCES[reason], { context: { reason }, ...(cause === undefined ? {} : { cause }) })
}
