import type { FormEvent } from 'react'
import { isKnown } from './is-known.ts'
import { signInWithKey } from './session.ts'

/** Signs in with an API key. */
export function KeyForm({ onProblem }: { onProblem: (text: string) => void }) {
  const signIn = async (key: string) => {
    if (await isKnown(key)) signInWithKey(key)
    else onProblem('The service does not know this key.')
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key')).trim()
    signIn(key).catch((error: unknown) =>
      onProblem(`The key could not be tried: ${error instanceof Error ? error.message : 'unknown'}`),
    )
  }
  return (
    <form className="sign-in-form" onSubmit={submit}>
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
