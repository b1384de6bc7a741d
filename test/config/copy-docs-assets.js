// Puts the files that the documentation pages need, with the licences of their packages, into the folder of the built module that serves them.
import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DOCS_ASSETS, DOCS_ASSETS_FOLDER } from '../../dist/src/facades/http/docs-pages.js'

const { resolve } = createRequire(import.meta.url)
const licence = (name, file) => [join(dirname(resolve(`${name}/package.json`)), file), `${name}.${file}`]

const files = [
  ...Object.entries(DOCS_ASSETS).map(([name, { module }]) => [resolve(module), name]),
  licence('redoc', 'LICENSE'),
  licence('swagger-ui-dist', 'LICENSE'),
  licence('swagger-ui-dist', 'NOTICE'),
]
mkdirSync(DOCS_ASSETS_FOLDER, { recursive: true })
for (const [from, name] of files) copyFileSync(from, join(DOCS_ASSETS_FOLDER, name))
