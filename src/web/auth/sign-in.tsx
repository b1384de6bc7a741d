import { useEffect, useState } from 'react'
import type { components } from '../../client/index.ts'
import { AtIssuer } from './at-issuer.tsx'
import { KeyForm } from './key-form.tsx'

type Config = components['schemas']['SignInConfig']

/** Signs in at the issuer, or with an API key where there is none. */
export function SignIn({ config, isRefused }: { config: Config; isRefused: boolean }) {
  const [problem, setProblem] = useState<string>()
  const told = problem ?? (isRefused ? 'Your session has ended. The credential expired or was revoked.' : undefined)
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
        {issuer === undefined ? (
          <KeyForm onProblem={setProblem} />
        ) : (
          <AtIssuer issuer={issuer} isRefused={isRefused} onProblem={setProblem} />
        )}
      </section>
    </main>
  )
}
