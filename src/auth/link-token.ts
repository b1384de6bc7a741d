import { randomBytes } from 'node:crypto'

/** Neither an API key nor a token of an issuer begins like this, so no other operation takes it for a credential. */
const PREFIX = 'pll_'
const FORM = /^pll_[A-Za-z0-9_-]{43}$/
const SECRET_BYTES = 32

/** Creates the token of a link: `pll_` and 256 random bits. */
export function createLinkToken(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** True if a text has the form of a link's token. */
export function isLinkToken(text: string): boolean {
  return FORM.test(text)
}
