import { useEffect, useState } from 'react'
import { isKnown } from './is-known.ts'
import type { Issuer } from './issuer.ts'
import { forgetIssuer, hasSignedInAt, signInWithToken } from './session.ts'

interface AtIssuerProps {
  readonly issuer: Issuer
  /** Whether the service has just refused a token. */
  readonly isRefused: boolean
  readonly onProblem: (text: string) => void
}

/** Signs in at an issuer; by itself after a reload, where it still knows the browser. */
export function AtIssuer({ issuer, isRefused, onProblem }: AtIssuerProps) {
  const [isBusy, setBusy] = useState(true)
  const fail = (what: string) => (error: unknown) => {
    setBusy(false)
    onProblem(`${what}: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  useEffect(() => {
    arrive(issuer, isRefused)
      .then((arrival) => {
        if (arrival === 'unknown') onProblem('The issuer knows you, but the service takes none of its tokens.')
        if (arrival !== 'leaving') setBusy(false)
      })
      .catch(fail('The sign-in did not succeed'))
  }, [issuer.oidc_issuer, issuer.oidc_client_id])
  const leave = async () => {
    setBusy(true)
    const { leaveForIssuer } = await import('./issuer.ts')
    await leaveForIssuer(issuer).catch(fail('The issuer cannot be reached'))
  }
  return (
    <div className="sign-in-form">
      <button type="button" className="button is-main" disabled={isBusy} onClick={() => void leave()}>
        {isBusy ? 'One moment …' : `Sign in at ${new URL(issuer.oidc_issuer).host}`}
      </button>
    </div>
  )
}

/**
 * Back from the issuer its tokens are fetched; the library for that is loaded only here. Where a user was signed in in this tab the issuer
 * is asked once more, unless what it gave was refused.
 */
async function arrive(issuer: Issuer, isRefused: boolean): Promise<'here' | 'unknown' | 'leaving'> {
  const { askIssuerSilently, tokensOfReturn } = await import('./issuer.ts')
  const tokens = await tokensOfReturn(issuer)
  if (tokens === undefined) {
    if (!hasSignedInAt(issuer.oidc_issuer) || isRefused) return 'here'
    // So that whatever comes of it is not tried again and again.
    forgetIssuer()
    await askIssuerSilently(issuer)
    return 'leaving'
  }
  for (const token of tokens) {
    if (!(await isKnown(token))) continue
    signInWithToken(token, issuer.oidc_issuer)
    return 'here'
  }
  return tokens.length === 0 ? 'here' : 'unknown'
}
