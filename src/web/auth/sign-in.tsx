import { type FormEvent, useEffect, useState } from 'react'
import { type components, createClient } from '../../client/index.ts'
import { BASE_URL } from '../api/base.ts'
import type { Issuer } from './issuer.ts'
import { signInWith } from './session.ts'

type Config = components['schemas']['SignInConfig']

/** Signs in at the issuer, or with an API key where there is none. */
export function SignIn({ config, isRefused }: { config: Config; isRefused: boolean }) {
  const [problem, setProblem] = useState<string>()
  const told = problem ?? (isRefused ? 'You are signed in no longer: the credential has expired or was revoked.' : undefined)
  useEffect(() => {
    document.title = 'Sign in · Plumbline'
  }, [])
  const { oidc_issuer, oidc_client_id } = config
  const issuer = oidc_issuer === null || oidc_client_id === null ? undefined : { oidc_issuer, oidc_client_id }
  return (
    <main className="sign-in">
      <section className="card" aria-label="Sign in">
        <h1>Plumbline</h1>
        {told !== undefined && (
          <p role="alert" className="problem">
            {told}
          </p>
        )}
        {issuer === undefined ? <KeyForm onProblem={setProblem} /> : <AtIssuer issuer={issuer} onProblem={setProblem} />}
      </section>
    </main>
  )
}

function KeyForm({ onProblem }: { onProblem: (text: string) => void }) {
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key')).trim()
    if (await isKnown(key)) signInWith(key, true)
    else onProblem('The service does not know this key.')
  }
  return (
    <form className="sign-in-form" onSubmit={(event) => void signIn(event)}>
      <label className="field">
        API key
        <input name="key" type="password" className="input" required autoComplete="current-password" />
      </label>
      <p className="muted">It is kept for this tab, and nowhere else.</p>
      <button type="submit" className="button is-main">
        Sign in
      </button>
    </form>
  )
}

function AtIssuer({ issuer, onProblem }: { issuer: Issuer; onProblem: (text: string) => void }) {
  const [isBusy, setBusy] = useState(true)
  // Back from the issuer the tokens are fetched; the library for that is loaded only here.
  useEffect(() => {
    const finish = async () => {
      const { isBackFromIssuer, tokensOfReturn } = await import('./issuer.ts')
      if (!isBackFromIssuer()) return
      for (const token of await tokensOfReturn(issuer)) if (await isKnown(token)) return signInWith(token, false)
      onProblem('The issuer knows you, but the service takes none of its tokens.')
    }
    finish()
      .catch((error: unknown) => onProblem(`The sign-in did not succeed: ${error instanceof Error ? error.message : 'unknown'}`))
      .finally(() => setBusy(false))
  }, [issuer.oidc_issuer, issuer.oidc_client_id])
  const leave = async () => {
    setBusy(true)
    const { leaveForIssuer } = await import('./issuer.ts')
    await leaveForIssuer(issuer).catch((error: unknown) => {
      setBusy(false)
      onProblem(`The issuer cannot be reached: ${error instanceof Error ? error.message : 'unknown'}`)
    })
  }
  return (
    <div className="sign-in-form">
      <button type="button" className="button is-main" disabled={isBusy} onClick={() => void leave()}>
        {isBusy ? 'One moment …' : `Sign in at ${new URL(issuer.oidc_issuer).host}`}
      </button>
    </div>
  )
}

/** Whether the service knows a credential, before it is taken for the page's. */
async function isKnown(credential: string): Promise<boolean> {
  const asking = createClient({ baseUrl: BASE_URL, headers: { authorization: `Bearer ${credential}` } })
  return asking.get('/auth/me').then(
    () => true,
    () => false,
  )
}
