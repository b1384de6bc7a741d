// Puts the files that documentation pages and PDFs need, with the licences of their packages, into the folders of the built modules that use them.
import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DOCS_ASSETS, DOCS_ASSETS_FOLDER } from '../../dist/src/facades/http/docs-pages.js'
import { PDF_FONTS, PDF_FONTS_FOLDER } from '../../dist/src/facades/presentation/briefing/pdf.js'

const { resolve } = createRequire(import.meta.url)
const licence = (name, file) => [join(dirname(resolve(`${name}/package.json`)), file), `${name.replace(/^@.*\//, '')}.${file}`]

function copy(folder, files) {
  mkdirSync(folder, { recursive: true })
  for (const [from, name] of files) copyFileSync(from, join(folder, name))
}

copy(DOCS_ASSETS_FOLDER, [
  ...Object.entries(DOCS_ASSETS).map(([name, { module }]) => [resolve(module), name]),
  licence('redoc', 'LICENSE'),
  licence('swagger-ui-dist', 'LICENSE'),
  licence('swagger-ui-dist', 'NOTICE'),
])
copy(PDF_FONTS_FOLDER, [
  ...Object.entries(PDF_FONTS).map(([name, module]) => [resolve(module), `${name}.ttf`]),
  licence('@expo-google-fonts/inter', 'LICENSE_FONT'),
])
