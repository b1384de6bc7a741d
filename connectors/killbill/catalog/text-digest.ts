import { hash } from 'node:crypto'

/** Characters of a digest. */
export const DIGEST_LENGTH = 8

/** Digest of a text: 48 bits in eight characters. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64').slice(0, DIGEST_LENGTH)
}
