import { useEffect, useState } from 'react'

const PAUSE_MS = 350

/** A value once it has stayed the same for a moment, so that not every letter is a question. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [value])
  return settled
}
