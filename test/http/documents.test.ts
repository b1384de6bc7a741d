import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { metric as mrr } from '../../src/metrics/mrr/index.ts'
import { describedPart } from '../support/product/described-part.ts'
import { serviceOver } from './recording-engine.ts'

const { app } = serviceOver()
const document = JSON.parse(await (await app.request('/openapi.json')).text())
const part = <Part>(given: Part): Part => describedPart(document, given)

describe('/openapi.json', () => {
  it('has every route of the service, and nothing else', () => {
    const registered = app.routes
      .filter((route) => route.method !== 'ALL')
      .map((route) => `${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual([...new Set(registered)].sort())
  })

  it.each(mrr.routes.map((route) => [route.path, route] as const))('/%s has its parameters, shapes and errors', (path, route) => {
    const operation = document.paths[`/api/metrics/${path}`].get
    const parameters = (operation.parameters as { name: string; in: string; required?: boolean; description?: string }[]).map(
      part,
    )
    expect(parameters.map((parameter) => parameter.name)).toEqual(route.params.map((parameter) => parameter.name))
    // Days may be given by the name of a range instead.
    expect(parameters.filter((parameter) => parameter.required)).toEqual([])
    for (const parameter of parameters) expect(parameter.description, parameter.name).toBeTruthy()
    expect(Object.keys(operation.responses)).toEqual([
      '200',
      '304',
      '400',
      '401',
      '403',
      '404',
      '406',
      '422',
      '500',
      '503',
      '504',
    ])
    const isFirst = route === mrr.routes[0]
    expect(operation.description.includes(mrr.docs.formula)).toBe(isFirst)
    expect(operation.description).toContain(isFirst ? mrr.docs.edge_cases.at(-1) : '`GET /api/metrics/mrr`')
  })

  it('is the same each time that it is made', async () => {
    const again = await (await serviceOver().app.request('/openapi.json')).text()
    expect(JSON.parse(again)).toEqual(document)
  })

  it('names every error code', () => {
    expect(document.components.schemas.Error.properties.code.enum).toEqual(Object.keys(ERROR_CODES))
    for (const code of Object.keys(ERROR_CODES)) expect(document.components.schemas.Error.description).toContain(`\`${code}\``)
  })
})

/** The page's rendering of the document, in a browser that has nothing else. */
async function shownToReaders(attributes: unknown): Promise<Record<string, unknown>> {
  const started: { plugins: (() => { statePlugins: { spec: { wrapActions: { updateSpec: Update } } } })[] }[] = []
  type Update = (next: (text: string) => string) => (text: string) => Promise<string>
  const SwaggerUIBundle = Object.assign((options: (typeof started)[number]) => started.push(options), { presets: { apis: [] } })
  const fetch = async () => Response.json(attributes)
  const script = await (await app.request('/docs/assets/start-swagger.js')).text()
  const classList = new Set<string>()
  const matchMedia = () => ({ matches: true, addEventListener: () => {} })
  const root = { classList: { toggle: (name: string, isOn: boolean) => isOn && classList.add(name) } }
  const page = { document: { documentElement: root }, location: { origin: 'https://metrics.example' }, matchMedia }
  runInNewContext(script, { window: {}, SwaggerUIBundle, fetch, ...page })
  expect([...classList]).toEqual(['dark-mode'])
  const [readable] = started[0]?.plugins ?? []
  const shown = await readable?.().statePlugins.spec.wrapActions.updateSpec((text) => text)(JSON.stringify(document))
  return JSON.parse(shown ?? '{}')
}

describe('documentation pages', () => {
  it('have dimensions to choose from, attributes among them, and errors once', async () => {
    const shown = await shownToReaders([
      { key: 'tier', source: 'csv' },
      { key: 'computed.arr_band', source: 'computed' },
    ])
    const { get } = Reflect.get(shown['paths'] as object, '/api/metrics/mrr')
    const described = get.parameters.map((given: object) => describedPart(shown, given))
    const { schema } = described.find(({ name }: { name: string }) => name === 'dimensions')
    expect(schema.items.enum).toEqual(expect.arrayContaining(['plan_id', 'currency', 'attr.tier']))
    expect(schema.items.enum).not.toContain('attr.computed.arr_band')
    expect(describedPart(shown, get.responses['400'])).toEqual({ description: expect.stringContaining('`unknown_dimension`') })
    expect(get.responses['200'].content['application/json'].examples.plain.value).toEqual(expect.any(Number))
    // Somebody who copies an example asks the service whose page it is.
    const { description } = shown['info'] as { description: string }
    expect(description).toContain("curl 'https://metrics.example/api/metrics/mrr'")
    expect(description).not.toContain('127.0.0.1')
  })

  it('open with three calls, then authentication, then security', () => {
    const chapters = [...document.info.description.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
    expect(chapters.slice(0, 3)).toEqual(['Three calls to try', 'Authentication', 'Security'])
    expect(document.info.description.split('## Authentication')[0].match(/^curl /gm)).toHaveLength(3)
  })

  it.each(['/docs', '/redoc'])('%s takes everything from this service', async (path) => {
    const response = await app.request(path)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
    const html = await response.text()
    expect(html).not.toMatch(/https?:\/\/|\bsrc="\/\/|<script>(?!<)/)
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(assets.length).toBeGreaterThan(1)
    for (const asset of assets) {
      const found = await app.request(asset)
      expect(found.status, asset).toBe(200)
      const text = await found.text()
      expect(text.length).toBeGreaterThan(100)
      // It would be asked for a picture.
      expect(text).not.toContain('https://cdn.')
    }
  })

  it.each(['package.json', '..%2fpackage.json', '__proto__', 'constructor', 'swagger-ui.js'])(
    'no other file is served: %s',
    async (file) => {
      expect((await app.request(`/docs/assets/${file}`)).status).toBe(404)
    },
  )

  it('/ leads there', async () => {
    const response = await app.request('/')
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/docs')
  })
})
