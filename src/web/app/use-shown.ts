import { useSources } from '../api/resources.ts'

/** What the menu offers: expenses only where there are books. Their address says why there are none. */
export function useShown(): (page: { readonly to: string }) => boolean {
  const { data = [] } = useSources()
  const hasBooks = data.some(({ kind }) => kind !== 'database')
  return ({ to }) => to !== '/expenses' || hasBooks
}
