import type { CatalogVersion } from './catalog-version.ts'
import { parseCatalog } from './parse.ts'

/** Versions of a text, or why it is no catalog. */
export type ParsedCatalog = readonly CatalogVersion[] | Error

/** parseCatalog; what a text is refused for is its result. */
export function tryParse(text: string): ParsedCatalog {
  try {
    return parseCatalog(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
