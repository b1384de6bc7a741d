import { beforeAll, expect, it } from 'vitest'
import { createDefinitionSets } from '../../src/core/definition-sets/sets.ts'
import type { Warning } from '../../src/engine/engine.ts'
import { createPipeline, type Pipeline } from '../../src/execution/pipeline.ts'
import { createRoleCheck } from '../../src/execution/session/role-check.ts'
import { NOW } from '../support/data/worked-example.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { emptyDatabase, exampleDependencies } from '../support/product/example-engine.ts'

const unpriced = (count: number): Warning => ({ code: 'unpriced_plan', message: `${count} subscriptions`, count })
const UNCOUNTED: Warning = { code: 'future_clamped', message: 'without a count' }

describeTargets(
  'warnings of an answer',
  (target) => {
    let pipeline: Pipeline
    beforeAll(async () => {
      const deps = exampleDependencies((await emptyDatabase(target)).executor())
      pipeline = createPipeline(deps, createRoleCheck(deps), createDefinitionSets(deps.definitions))
    })

    it.each([
      ['growing', [unpriced(2), unpriced(5)], [unpriced(5)]],
      ['shrinking', [unpriced(5), unpriced(2)], [unpriced(5)]],
      ['in the middle', [unpriced(2), unpriced(5), unpriced(3)], [unpriced(5)]],
      ['beside another', [unpriced(1), UNCOUNTED, unpriced(4), UNCOUNTED], [unpriced(4), UNCOUNTED]],
    ])('one of several statements stands once, with its largest count: %s', async (_name, given, expected) => {
      const { meta } = await pipeline.read({ now: NOW }, async ({ warn }) => {
        for (const warning of given) warn(warning)
      })
      expect(meta.warnings).toEqual(expected)
    })
  },
  { only: ['pglite'] },
)
