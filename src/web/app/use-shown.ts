import { useSources } from '../api/resources.ts'
import { useMay } from '../auth/who.ts'

/** What the menu offers: expenses only where there are books, customers to those who may see them. Their address says why there are none. */
export function useShown(): (page: { readonly to: string }) => boolean {
  const { data = [] } = useSources()
  const hasBooks = data.some(({ kind }) => kind !== 'database')
  const mayRead = useMay('read')
  return ({ to }) => (to !== '/expenses' || hasBooks) && (to !== '/customers' || mayRead)
}
