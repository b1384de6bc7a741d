import { expect, it } from 'vitest'
import { recordExamples } from '../support/examples/walk.ts'
import { documentOfProduct } from './product-document.ts'

const BANNER = `// Written by \`npm run client\` from the answers of the sample data.
import type { Examples } from './show-examples.ts'

export const EXAMPLES: Examples = `

it('the examples of /openapi.json are what the sample data answers, and no operation lacks one', async () => {
  const examples = await recordExamples()
  await expect(`${BANNER}${JSON.stringify(examples, null, 1)}\n`).toMatchFileSnapshot('../../src/http/openapi/examples.ts')
  const document = await documentOfProduct()
  const operations: { operationId: string; responses: Record<string, { content?: object }> }[] = Object.values(
    document.paths as Record<string, object>,
  ).flatMap((item) => Object.values(item))
  const speakJson = operations.filter(({ responses }) =>
    Object.entries(responses).some(([status, { content = {} }]) => status.startsWith('2') && 'application/json' in content),
  )
  expect(speakJson.map(({ operationId }) => operationId).filter((id) => examples[id] === undefined)).toEqual(['openapi'])
})
