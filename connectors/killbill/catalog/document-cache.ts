import { createHash } from 'node:crypto'
import type { CatalogVersion } from './catalog-version.ts'
import { parseCatalog } from './parse.ts'

const KEPT = 200
const parsed = new Map<string, readonly CatalogVersion[]>()

/**
 * parseCatalog, remembered by the text's hash: Kill Bill rewrites a row in place without any column telling (KB 3.2), so the
 * text itself is the only key that is never wrong.
 */
export function parseOnce(xml: string): readonly CatalogVersion[] {
  const key = createHash('sha256').update(xml).digest('base64')
  const versions = parsed.get(key) ?? parseCatalog(xml)
  parsed.delete(key)
  parsed.set(key, versions)
  const oldest = parsed.keys().next()
  if (parsed.size > KEPT && oldest.done !== true) parsed.delete(oldest.value)
  return versions
}
