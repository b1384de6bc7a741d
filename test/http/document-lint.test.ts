import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentOfProduct } from './product-document.ts'

type Document = Awaited<ReturnType<typeof documentOfProduct>>

/** Redocly's recommended rules, warnings too. */
async function byRedocly(document: Document): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}

/** Spectral's rules for OpenAPI, warnings too. */
async function bySpectral(document: Document): Promise<string[]> {
  const linter = new spectral.Spectral()
  // Its types are of two minds about a list of formats.
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] })
  const problems = await linter.run(document)
  return problems.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)
}

describe.each([
  ['Redocly', byRedocly],
  ['Spectral', bySpectral],
])('/openapi.json judged by %s', (_, problemsOf) => {
  let document: Document
  beforeAll(async () => {
    document = await documentOfProduct()
  })

  it('has nothing to complain of', async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await problemsOf(document)).toEqual([])
  })

  it('would be found out', async () => {
    const broken = { ...document, paths: { '/x/{id}': { get: { operationId: 'x', tags: ['Nowhere'], responses: { 400: {} } } } } }
    expect(await problemsOf(broken)).not.toEqual([])
  })
})
