import { useEffect, useState } from 'react'

const PAUSE_MS = 250

/** A field to search with; what is written counts once nobody types for a moment. */
export function SearchField({ label, value, onSearch }: { label: string; value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const pause = setTimeout(() => onSearch(text.trim()), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text, value, onSearch])
  return (
    <input
      type="search"
      className="input search-field"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
