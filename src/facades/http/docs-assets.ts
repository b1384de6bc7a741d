import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Files of the documentation pages by the name under which they are served: where they come from and what they are. */
export const DOCS_ASSETS: Readonly<Record<string, { readonly module: string; readonly type: string }>> = {
  'swagger-ui.css': { module: 'swagger-ui-dist/swagger-ui.css', type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { module: 'swagger-ui-dist/swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
  'favicon-32x32.png': { module: 'swagger-ui-dist/favicon-32x32.png', type: 'image/png' },
  'redoc.standalone.js': { module: 'redoc/bundles/redoc.standalone.js', type: 'text/javascript; charset=utf-8' },
}

/** Where a build has put copies: what they come from is 114 packages, of which an installation would use these four files. */
export const DOCS_ASSETS_FOLDER = fileURLToPath(new URL('./docs-assets/', import.meta.url))

/** Content of one of `DOCS_ASSETS`: of a build the copy, of a checkout the package's own file. */
export function readDocsAsset(file: string, module: string): Promise<Uint8Array<ArrayBuffer>> {
  const copy = `${DOCS_ASSETS_FOLDER}${file}`
  return readFile(existsSync(copy) ? copy : createRequire(import.meta.url).resolve(module))
}
