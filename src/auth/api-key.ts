import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const PREFIX = 'pl_'
const FORM = /^pl_[A-Za-z0-9_-]{43}$/
/** What is shown of a key, by which people tell it from others. */
const SHOWN = 11
const SECRET_BYTES = 32

/** Draws a key: 256 random bits behind `pl_`. */
export function createKey(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** Beginning of a key, which may be shown. */
export function prefixOf(key: string): string {
  return key.slice(0, SHOWN)
}

/** SHA-256 of a key in hex. A key has as many random bits as the digest, so that it needs neither salt nor a slow hash. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Whether a credential means to be a key of this service. */
export function looksLikeKey(credential: string): boolean {
  return credential.startsWith(PREFIX)
}

/** Whether a credential has the form of a key. */
export function isKey(credential: string): boolean {
  return FORM.test(credential)
}

/** Whether two digests are the same, in a time that does not tell how far they agree. */
export function isSameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
