import { expect, it } from 'vitest'
import { recordExamples } from '../support/product/examples/record-examples.ts'

it('the examples of /openapi.json are what the sample data answers', async () => {
  const examples = await recordExamples()
  await expect(`${JSON.stringify(examples, null, 1)}\n`).toMatchFileSnapshot('../../docs/openapi/examples.json')
})
