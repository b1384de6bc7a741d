import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Reads something from the requests that the page now shows, again after each change. `read` returns a text, number or truth value. */
export function useActiveAnswers<Read extends string | number | boolean>(read: (active: readonly Query[]) => Read): Read {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => read(cache.getAll().filter((query) => query.isActive())),
  )
}
