import { expect, it } from 'vitest'
import { recordExamples } from '../support/product/examples/record-examples.ts'

const BANNER = `// Written by \`npm run client\` from the answers of the sample data.
import type { Examples } from './show-examples.ts'

export const EXAMPLES: Examples = `

it('the examples of /openapi.json are what the sample data answers', async () => {
  const examples = await recordExamples()
  await expect(`${BANNER}${JSON.stringify(examples, null, 1)}\n`).toMatchFileSnapshot(
    '../../src/facades/http/openapi/examples.ts',
  )
})
