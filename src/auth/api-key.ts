import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const PREFIX = 'pl_'
const FORM = /^pl_[A-Za-z0-9_-]{43}$/
/** Characters of a key that may be shown, so that people recognise it. */
const SHOWN = 11
const SECRET_BYTES = 32

/** Creates a key: `pl_` and 256 random bits. */
export function createKey(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** Beginning of a key. It may be shown. */
export function prefixOf(key: string): string {
  return key.slice(0, SHOWN)
}

/** SHA-256 of a key in hex. A key has as many random bits as the digest, so it needs neither salt nor a slow hash. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** True if a credential has the prefix of this service's keys. */
export function looksLikeKey(credential: string): boolean {
  return credential.startsWith(PREFIX)
}

/** True if a credential has the form of a key. */
export function isKey(credential: string): boolean {
  return FORM.test(credential)
}

/** True if two digests are equal. The comparison takes constant time. */
export function isSameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
