import { useChangeSearch, useSearchState } from '../controls/use-page.ts'

/** What the log is narrowed to beside its outcome, each removable; nothing where it is not. */
export function AuditFilters({ who }: { who: string | undefined }) {
  const { action, actor_id } = useSearchState()
  const change = useChangeSearch()
  const chosen = [
    { name: 'actor_id', text: actor_id === undefined ? undefined : `Actor: ${who}` },
    { name: 'action', text: action === undefined ? undefined : `Action: ${action}` },
  ] as const
  if (action === undefined && actor_id === undefined) return null
  return (
    <div className="form-buttons">
      {chosen.map(
        ({ name, text }) =>
          text !== undefined && (
            <span key={name} className="chip">
              {text}
              <button
                type="button"
                aria-label={`Remove filter ${text}`}
                onClick={() => change({ [name]: undefined, offset: undefined }, { replace: true })}
              >
                ✕
              </button>
            </span>
          ),
      )}
    </div>
  )
}
