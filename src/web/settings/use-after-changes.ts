import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

/** Within a second what was done is in the log. */
const WRITTEN_MS = 1_200

/** Does something once the service has written down what was changed on this page. */
export function useAfterChanges(act: () => void): void {
  const queries = useQueryClient()
  const onWritten = useEffectEvent(act)
  useEffect(() => {
    let pause: ReturnType<typeof setTimeout> | undefined
    const stop = queries.getMutationCache().subscribe(({ mutation, type }) => {
      if (type !== 'updated' || mutation.state.status === 'pending' || mutation.state.status === 'idle') return
      clearTimeout(pause)
      pause = setTimeout(onWritten, WRITTEN_MS)
    })
    return () => {
      stop()
      clearTimeout(pause)
    }
  }, [queries])
}
