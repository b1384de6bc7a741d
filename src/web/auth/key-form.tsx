import type { FormEvent } from 'react'
import { isKnown } from './is-known.ts'
import { signInWithKey } from './session.ts'

/** Signs in with an API key. */
export function KeyForm({ onProblem }: { onProblem: (text: string) => void }) {
  const signIn = async (key: string) => {
    if (await isKnown(key)) signInWithKey(key)
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
