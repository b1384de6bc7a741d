import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { onDemand } from '../../core/on-demand.ts'

/** The address that examples of the document name. The pages show their own instead. */
export const EXAMPLE_ORIGIN = 'http://127.0.0.1:8000'

/** Page that renders `/openapi.json` with Swagger UI. All assets are local. `base` is the path prefix of the service. */
export function swaggerPage(base: string): string {
  const at = `${base}/docs/assets`
  return page(
    base,
    'Plumbline API',
    `<link rel="stylesheet" href="${at}/swagger-ui.css">`,
    `<div id="swagger-ui"></div><script src="${at}/swagger-ui-bundle.js"></script><script src="${at}/start-swagger.js"></script>`,
  )
}

/**
 * Starts Swagger UI. It is a separate file because the pages allow no inline script. The page adds the attributes to the names that a
 * parameter accepts, and shows the error schema once at the end instead of at every status. Examples get the address of this service.
 */
function startSwagger(base: string): string {
  return `const isDark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', isDark.matches)
isDark.addEventListener('change', paint)
paint()

const attributes = fetch('${base}/api/attributes')
  .then((answer) => (answer.ok ? answer.json() : []), () => [])
  .then((all) => all.filter(({ source }) => source !== 'computed').map(({ key }) => 'attr.' + key))

function forReaders(described, names) {
  const { parameters, responses } = described.components
  const operations = Object.values(described.paths).flatMap((item) => Object.values(item))
  for (const { schema } of [...operations.flatMap((operation) => operation.parameters ?? []), ...Object.values(parameters)]) {
    const known = schema?.items?.anyOf?.find((option) => option.enum)
    if (known) schema.items = { ...known, enum: [...known.enum, ...names] }
  }
  const own = operations.flatMap((operation) => Object.entries(operation.responses))
  const refusals = own.filter(([status]) => status >= '400').map(([, response]) => response)
  for (const response of [...refusals, ...Object.values(responses)]) {
    delete response.content
    delete response.headers
  }
  described.info.description = described.info.description.replaceAll('${EXAMPLE_ORIGIN}', location.origin)
  return described
}

const readable = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateSpec: (update) => async (text) =>
          update(text === '' ? text : JSON.stringify(forReaders(JSON.parse(text), await attributes))),
      },
    },
  },
})

window.ui = SwaggerUIBundle({
  url: '${base}/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [readable],
})
`
}

/** The document on one page, with Redoc. */
export function redocPage(base: string): string {
  return page(
    base,
    'Plumbline API reference',
    '<style>body { margin: 0 } img[alt="redocly logo"] { display: none }</style>',
    `<div id="redoc"></div><script src="${base}/docs/assets/redoc.standalone.js"></script><script src="${base}/docs/assets/start-redoc.js"></script>`,
  )
}

/** Starts Redoc. Examples get the address of this service. */
function startRedoc(base: string): string {
  return `fetch('${base}/openapi.json')
  .then((answer) => answer.json())
  .then((described) => {
    described.info.description = described.info.description.replaceAll('${EXAMPLE_ORIGIN}', location.origin)
    Redoc.init(described, { downloadUrls: [{ title: 'Download', url: '${base}/openapi.json' }] }, document.getElementById('redoc'))
  })
`
}

/** Scripts that start the pages, by served name. */
export const DOCS_SCRIPTS: Readonly<Record<string, (base: string) => string>> = {
  'start-swagger.js': startSwagger,
  'start-redoc.js': startRedoc,
}

function page(base: string, title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${base}/docs/assets/favicon-32x32.png">
${head}
</head>
<body>
${body}
</body>
</html>
`
}

/** Files of the documentation pages by served name: source module and media type. */
export const DOCS_ASSETS: Readonly<Record<string, { readonly module: string; readonly type: string }>> = {
  'swagger-ui.css': { module: 'swagger-ui-dist/swagger-ui.css', type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { module: 'swagger-ui-dist/swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
  'favicon-32x32.png': { module: 'swagger-ui-dist/favicon-32x32.png', type: 'image/png' },
  'redoc.standalone.js': { module: 'redoc/bundles/redoc.standalone.js', type: 'text/javascript; charset=utf-8' },
}

/** Folder for the files that a build copies. Without the copies, an installation would need 114 packages for these four files. */
export const DOCS_ASSETS_FOLDER = fileURLToPath(new URL('./docs-assets/', import.meta.url))

/** The contents of `DOCS_ASSETS` by served name. */
export const docsAssets = onDemand(async (): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> => {
  const read = Object.entries(DOCS_ASSETS).map(async ([file, { module }]) => [file, await readDocsAsset(file, module)] as const)
  return new Map(await Promise.all(read))
})

// The copy in a build, the file of the package in a source checkout.
function readDocsAsset(file: string, module: string): Promise<Uint8Array<ArrayBuffer>> {
  const copy = `${DOCS_ASSETS_FOLDER}${file}`
  return readFile(existsSync(copy) ? copy : createRequire(import.meta.url).resolve(module))
}
