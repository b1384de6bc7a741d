import { PlumblineError } from '../../client/index.ts'
import { useSegments, useSources } from '../api/resources.ts'
import { useMay } from '../auth/who.ts'

/** Pages of what the side store keeps. */
const KEPT = ['/segments', '/dashboards']

/**
 * What the menu offers: expenses only where there are books, what is kept only where there is a store, customers to those who may see them. Their
 * address says why there are none.
 */
export function useShown(): (page: { readonly to: string }) => boolean {
  const { data = [] } = useSources()
  const hasBooks = data.some(({ kind }) => kind !== 'database')
  const { error } = useSegments()
  const hasStore = !(error instanceof PlumblineError && error.code === 'unsupported_by_connector')
  const mayRead = useMay('read')
  return ({ to }) => (to !== '/expenses' || hasBooks) && (!KEPT.includes(to) || hasStore) && (to !== '/customers' || mayRead)
}
