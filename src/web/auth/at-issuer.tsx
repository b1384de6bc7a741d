import { useEffect, useRef, useState } from 'react'
import { isKnown } from './is-known.ts'
import type { Issuer } from './issuer.ts'
import { hasSignedInAt, signInWithToken } from './session.ts'
import { nextDelay, resetTries } from './tries.ts'
import { IssuerUnreachable } from './unreachable.ts'

interface AtIssuerProps {
  readonly issuer: Issuer
  /** Whether the service has just refused a token. */
  readonly isRefused: boolean
  readonly onProblem: (text: string) => void
}

/** Signs in at an issuer; by itself after a reload, where it still knows the browser. */
export function AtIssuer({ issuer, isRefused, onProblem }: AtIssuerProps) {
  const [isBusy, setBusy] = useState(true)
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  const fail = (what: string) => (error: unknown) => {
    setBusy(false)
    onProblem(`${what}: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  const arriveOrTryLater = () => {
    setBusy(true)
    arrive(issuer, isRefused)
      .then((arrival) => {
        if (arrival === 'unknown')
          onProblem('You are signed in at the identity provider, but Plumbline does not accept its tokens.')
        if (arrival !== 'leaving') setBusy(false)
      })
      .catch((error: unknown) => {
        fail('Sign-in failed')(error)
        if (!(error instanceof IssuerUnreachable) || !hasSignedInAt(issuer.oidc_issuer)) return
        // What was no answer says nothing about the user.
        const delay = nextDelay()
        if (delay === undefined) return
        onProblem(`Can’t restore your session: ${error.message}. Retrying automatically.`)
        later.current = setTimeout(arriveOrTryLater, delay)
      })
  }
  useEffect(() => {
    arriveOrTryLater()
    return () => clearTimeout(later.current)
  }, [issuer.oidc_issuer, issuer.oidc_client_id])
  const leave = async () => {
    clearTimeout(later.current)
    setBusy(true)
    const { leaveForIssuer } = await import('./issuer.ts')
    await leaveForIssuer(issuer).catch(fail('Can’t reach the identity provider'))
  }
  return (
    <div className="sign-in-form">
      <button type="button" className="button is-main" disabled={isBusy} onClick={() => void leave()}>
        {isBusy ? 'Signing in…' : `Sign in with ${new URL(issuer.oidc_issuer).host}`}
      </button>
    </div>
  )
}

/**
 * Back from the issuer its tokens are fetched; the library for that is loaded only here. Where a user was signed in in this tab the issuer
 * is asked once more, unless what it gave was refused. Rejects with IssuerUnreachable.
 */
async function arrive(issuer: Issuer, isRefused: boolean): Promise<'here' | 'unknown' | 'leaving'> {
  const { askIssuerSilently, tokensOfReturn } = await import('./issuer.ts')
  const tokens = await tokensOfReturn(issuer)
  if (tokens === undefined) {
    if (!hasSignedInAt(issuer.oidc_issuer) || isRefused) return 'here'
    await askIssuerSilently(issuer)
    return 'leaving'
  }
  for (const token of tokens) {
    if (!(await isKnown(token))) continue
    resetTries()
    signInWithToken(token, issuer.oidc_issuer)
    return 'here'
  }
  return tokens.length === 0 ? 'here' : 'unknown'
}
