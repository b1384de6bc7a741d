import type { SourceAccess } from '../../../src/connector-kit/index.ts'
import type { Grants } from './grants.ts'
import { type TokenSet, tokenSetOf } from './token-set.ts'

/** A token that ends sooner is renewed before it is used. */
const MARGIN_MS = 60_000

/** The tokens of one source, also if another process renews them. */
export interface Tokens {
  /** An access token that should be valid. */
  access(): Promise<string>
  /** A newer token than the refused one. If no other process has stored one, Intuit issues it. */
  renewed(refused: string): Promise<string>
}

/**
 * Runs one renewal at a time. Callers in this process share its promise, and `renew` of the source makes other processes wait.
 */
export function createTokens(source: SourceAccess, grants: Pick<Grants, 'refresh'>): Tokens {
  let held: TokenSet | undefined
  let renewal: Promise<TokenSet> | undefined

  async function renew(refused: string): Promise<TokenSet> {
    const secrets = await source.renew(async (secretsNow) => {
      const present = tokenSetOf(secretsNow)
      // If the current token is not the refused one, another process has renewed it already.
      return present.access_token === refused || isEnding(present) ? { ...(await grants.refresh(present)) } : secretsNow
    })
    return tokenSetOf(secrets)
  }

  async function renewed(refused: string): Promise<string> {
    if (held !== undefined && held.access_token !== refused) return held.access_token
    renewal ??= renew(refused).finally(() => {
      renewal = undefined
    })
    held = await renewal
    return held.access_token
  }

  return {
    async access() {
      held ??= tokenSetOf(await source.secrets())
      return isEnding(held) ? renewed(held.access_token) : held.access_token
    },
    renewed,
  }
}

function isEnding({ access_expires_at }: TokenSet): boolean {
  return Date.parse(access_expires_at) - Date.now() < MARGIN_MS
}
