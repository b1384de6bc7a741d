import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentOfProduct } from './product-document.ts'

type Document = Awaited<ReturnType<typeof documentOfProduct>>

/** What breaks Redocly's recommended rules, warnings too. */
async function problemsOf(document: Document): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}

describe('/openapi.json judged by Redocly', () => {
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
