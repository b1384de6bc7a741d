import { createHash } from 'node:crypto'
import type { CatalogVersion } from './catalog-version.ts'
import { keepLast } from './keep-last.ts'
import { parseCatalog } from './parse.ts'

const parsed = keepLast<readonly CatalogVersion[]>(200)

/**
 * parseCatalog, remembered by the text's hash: Kill Bill rewrites a row in place without any column telling (KB 3.2), so the
 * text itself is the only key that is never wrong.
 */
export function parseOnce(xml: string): readonly CatalogVersion[] {
  return parsed(createHash('sha256').update(xml).digest('base64'), () => parseCatalog(xml))
}
