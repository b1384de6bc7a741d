import { useMutation } from '@tanstack/react-query'
import { PlumblineError } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { isRow } from '../api/use-answer.ts'
import { Problem } from '../parts/problem.tsx'

/**
 * Sends the browser to a platform for consent, and says what is missing where the service is not set up for it. It asks for the address
 * first, because a plain link would go without the credential.
 */
export function ConnectButton({ type, label }: { type: string; label: string }) {
  const begin = useMutation({
    mutationFn: async () => (await client.get('/api/connectors/{type}/oauth/start', { path: { type } })).data.authorize_url,
    onSuccess: (address) => location.assign(address),
  })
  const missing = missingOf(begin.error)
  return (
    <div className="settings-action">
      <button type="button" className="button" disabled={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
        {label}
      </button>
      {missing.length > 0 && (
        <p className="notice" role="alert">
          This connection is not configured yet. Missing settings: {missing.join(', ')}. <code>docs/expenses.md</code> explains
          step by step where to get them.
        </p>
      )}
      {begin.error !== null && missing.length === 0 && <Problem error={begin.error} />}
    </div>
  )
}

/** Settings without which a platform cannot be connected, as the refusal names them. */
function missingOf(error: Error | null): readonly string[] {
  const body: unknown = error instanceof PlumblineError ? error.body : undefined
  const missing = isRow(body) ? body['missing'] : undefined
  return Array.isArray(missing) ? missing.map(String) : []
}
