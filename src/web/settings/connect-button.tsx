import { useMutation } from '@tanstack/react-query'
import { client } from '../api/client.ts'
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
  return (
    <div className="settings-action">
      <button type="button" className="button" disabled={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
        {label}
      </button>
      {begin.error !== null && (
        <>
          <Problem error={begin.error} />
          <p className="muted">
            How to set up the connection stands in the guide, <code>docs/expenses.md</code>; the settings are those of{' '}
            <code>docs/configuration.md</code>.
          </p>
        </>
      )}
    </div>
  )
}
