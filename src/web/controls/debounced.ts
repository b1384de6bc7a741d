import { useEffect, useState } from 'react'

const PAUSE_MS = 350

/** A value that follows its source only after a pause, so that not every keystroke sends a request. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const pause = setTimeout(() => setDebounced(value), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [value])
  return debounced
}
