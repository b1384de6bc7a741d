import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { components } from '../../client/index.ts'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import type { Issuer } from './issuer.ts'
import { IssuerUnreachable, nextDelay, resetTries } from './issuer-retry.ts'
import { hasSignedInAt, signInWithKey, signInWithToken, useSession } from './session.ts'
import { isAccepted, useSignInConfig } from './who.ts'

const HEIGHT = 480

/** Shows its children once the user has signed in, or at once if the service requires no sign-in. */
export function Gate({ children }: { children: ReactNode }) {
  const { data: config, error, refetch } = useSignInConfig()
  const { isSignedIn, isRefused } = useSession()
  const queries = useQueryClient()
  const [wasSignedIn, setWasSignedIn] = useState(isSignedIn)
  useEffect(() => {
    // The next user must not see data of the previous user.
    if (wasSignedIn && !isSignedIn) queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth-config' })
    setWasSignedIn(isSignedIn)
  }, [isSignedIn, wasSignedIn, queries])
  if (error !== null)
    return (
      <main className="sign-in">
        <Problem error={error} onRetry={() => void refetch()} />
      </main>
    )
  if (config === undefined) return <Skeleton height={HEIGHT} />
  if (!config.auth_enabled || isSignedIn) return children
  return <SignIn config={config} isRefused={isRefused} />
}

type Config = components['schemas']['SignInConfig']

/** Signs in at the issuer, or with an API key if there is no issuer. */
function SignIn({ config, isRefused }: { config: Config; isRefused: boolean }) {
  const [problem, setProblem] = useState<string>()
  const message = problem ?? (isRefused ? 'Your session has ended. The credential expired or was revoked.' : undefined)
  useEffect(() => {
    document.title = 'Sign in · Plumbline'
  }, [])
  const { oidc_issuer, oidc_client_id } = config
  const issuer = oidc_issuer === null || oidc_client_id === null ? undefined : { oidc_issuer, oidc_client_id }
  return (
    <main className="sign-in">
      <section className="card" aria-label="Sign in">
        <h1>Plumbline</h1>
        {message !== undefined && (
          <p role="alert" className="problem">
            {message}
          </p>
        )}
        {issuer === undefined ? (
          <KeyForm onProblem={setProblem} />
        ) : (
          <AtIssuer issuer={issuer} isRefused={isRefused} onProblem={setProblem} />
        )}
      </section>
    </main>
  )
}

/** Signs in with an API key. */
function KeyForm({ onProblem }: { onProblem: (text: string) => void }) {
  const signIn = async (key: string) => {
    if (await isAccepted(key)) signInWithKey(key)
    else onProblem('This API key is not valid.')
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key')).trim()
    signIn(key).catch((error: unknown) => onProblem(`Can’t check the key: ${error instanceof Error ? error.message : 'unknown'}`))
  }
  return (
    <form className="sign-in-form" onSubmit={submit}>
      <label className="field">
        API key
        <input name="key" type="password" className="input" required autoComplete="current-password" />
      </label>
      <p className="muted">Stored for this browser tab only.</p>
      <button type="submit" className="button is-main">
        Sign in
      </button>
    </form>
  )
}

interface AtIssuerProps {
  readonly issuer: Issuer
  /** Whether the service has just rejected a token. */
  readonly isRefused: boolean
  readonly onProblem: (text: string) => void
}

/** Signs in at an issuer. After a reload this happens automatically, as long as the issuer recognises the browser. */
function AtIssuer({ issuer, isRefused, onProblem }: AtIssuerProps) {
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
        // If the issuer is unreachable, the user may still be signed in there.
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
 * Fetches the tokens after the redirect from the issuer. Only this function loads the OAuth library. If the user was signed in
 * before the reload, asks the issuer silently, unless the service has rejected the token. Rejects with IssuerUnreachable.
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
    if (!(await isAccepted(token))) continue
    resetTries()
    signInWithToken(token, issuer.oidc_issuer)
    return 'here'
  }
  return tokens.length === 0 ? 'here' : 'unknown'
}
