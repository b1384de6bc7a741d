import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExamples } from '../../src/facades/http/openapi/show-examples.ts'
import { documentOfProduct } from './product-document.ts'

type Document = Awaited<ReturnType<typeof documentOfProduct>>

/** Rules in addition to Redocly's recommendations. */
const RULES = { 'operation-tag-defined': 'error', 'operation-description': 'error' } as const

/** The findings against the rules, warnings too. */
async function problemsOf(document: Document): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: RULES })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}

describe('/openapi.json', () => {
  let document: Document
  beforeAll(async () => {
    document = await documentOfProduct()
  })

  it('gives Redocly nothing to complain of', async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await problemsOf(document)).toEqual([])
  })

  it('has an example of every answer in JSON', () => {
    const operations: { operationId: string; responses: Record<string, { content?: object }> }[] = Object.values(
      document.paths as Record<string, object>,
    ).flatMap((item) => Object.values(item))
    const speakJson = operations.filter(({ responses }) =>
      Object.entries(responses).some(([status, { content = {} }]) => status.startsWith('2') && 'application/json' in content),
    )
    const examples = readExamples()
    const lacking = speakJson.map(({ operationId }) => operationId).filter((id) => examples[id] === undefined)
    expect(lacking).toEqual(['openapi'])
  })

  it('would be found out', async () => {
    const broken = { ...document, paths: { '/x/{id}': { get: { operationId: 'x', tags: ['Nowhere'], responses: { 400: {} } } } } }
    const problems = await problemsOf(broken)
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(/^operation-tag-defined /)]))
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(/^operation-description /)]))
  })
})
