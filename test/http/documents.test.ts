import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { metric as mrr } from '../../src/metrics/mrr/index.ts'
import { serviceOver } from './recording-engine.ts'

const { app } = serviceOver()
const text = await (await app.request('/openapi.json')).text()
const document = JSON.parse(text)

const RULES = [
  'struct',
  'no-unresolved-refs',
  'operation-operationId-unique',
  'path-parameters-defined',
  'no-identical-paths',
  'no-ambiguous-paths',
]

async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig({ rules: Object.fromEntries(RULES.map((rule) => [rule, 'error' as const])) })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map((problem) => `${problem.location[0]?.pointer}: ${problem.message}`)
}

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await problemsOf(text)).toEqual([])
  })

  it('the check can fail', async () => {
    const broken = { ...document, paths: { ...document.paths, '/x/{id}': { get: { responses: { 200: {} } } } } }
    expect(await problemsOf(JSON.stringify(broken))).not.toEqual([])
  })

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
    const parameters = operation.parameters as { name: string; in: string; required?: boolean; description?: string }[]
    expect(parameters.map((parameter) => parameter.name)).toEqual(route.params.map((parameter) => parameter.name))
    expect(parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name)).toEqual(
      route.params.filter((parameter) => parameter.isRequired).map((parameter) => parameter.name),
    )
    for (const parameter of parameters) expect(parameter.description, parameter.name).toBeTruthy()
    expect(Object.keys(operation.responses)).toEqual(['200', '304', '400', '404', '422', '500', '503', '504'])
    expect(operation.description).toContain(mrr.docs.formula)
    for (const note of [...mrr.docs.assumptions, ...mrr.docs.edge_cases]) expect(operation.description).toContain(note)
  })

  it('names every error code', () => {
    expect(document.components.schemas.Error.properties.code.enum).toEqual(Object.keys(ERROR_CODES))
    for (const code of Object.keys(ERROR_CODES)) expect(document.info.description).toContain(`\`${code}\``)
  })
})

describe('documentation pages', () => {
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
      expect((await found.arrayBuffer()).byteLength).toBeGreaterThan(100)
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
