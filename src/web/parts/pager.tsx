interface PagerProps {
  readonly total: number
  readonly offset: number
  readonly limit: number
  readonly onTurn: (offset: number) => void
  /** Distinguishes several lists on a page. */
  readonly label?: string
}

/** Shows the range of rows and buttons for the previous and next page. */
export function Pager({ total, offset, limit, onTurn, label = 'Pages of the list' }: PagerProps) {
  const last = Math.min(total, offset + limit)
  return (
    <nav className="pager" aria-label={label}>
      <span className="muted figure">{total === 0 ? 'No results' : `${offset + 1}–${last} of ${total}`}</span>
      <span className="pager-buttons">
        <button type="button" className="button" disabled={offset === 0} onClick={() => onTurn(Math.max(0, offset - limit))}>
          Previous
        </button>
        <button type="button" className="button" disabled={last >= total} onClick={() => onTurn(offset + limit)}>
          Next
        </button>
      </span>
    </nav>
  )
}
