import type { CatalogVersion } from './catalog-version.ts'
import { parseCatalog } from './parse.ts'

/** Versions of a text, or the reason why it is no catalog. */
export type ParsedCatalog = readonly CatalogVersion[] | Error

/** Runs parseCatalog and returns its error instead of throwing it. */
export function tryParse(text: string): ParsedCatalog {
  try {
    return parseCatalog(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
