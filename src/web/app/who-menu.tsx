import { signOut, useSession } from '../auth/session.ts'
import { useWho } from '../auth/who.ts'

/** Who has signed in, and the way out; nothing where nobody needs to. */
export function WhoMenu() {
  const { isSignedIn } = useSession()
  const { data } = useWho(isSignedIn)
  if (!isSignedIn || data === undefined) return null
  return (
    <div className="who">
      <span className="who-name" title={`Scopes: ${data.scopes.join(', ')}`}>
        {data.name ?? data.email ?? 'Signed in'}
      </span>
      <button type="button" className="link-button" onClick={signOut}>
        Sign out
      </button>
    </div>
  )
}
