import { unknownValues } from '../execution/filter-values/unknown-values.ts'
import type { Pipeline } from '../execution/pipeline.ts'
import { unsupported } from '../execution/plan/capability.ts'
import type { Planner } from '../execution/plan/plan.ts'
import { attributeKeysIn } from '../query/segment-check.ts'
import type { SegmentNames } from '../query/segment-fields.ts'
import { readValidateBody, type SegmentValidation, validateSegment } from '../workspace/segments/resource.ts'
import type { AskOptions } from './contract.ts'
import { hasCustomers } from './fields.ts'

/** The parts of the engine that judge a definition. */
interface Parts {
  readonly planner: Planner
  readonly pipeline: Pick<Pipeline, 'read'>
  readonly connector: string
  /** Resolves the attributes that a definition names. */
  namesFor(attributes: readonly string[]): Promise<SegmentNames>
}

/** The problems of a definition, and the values that no row has. AppError `unknown_metric`, `unsupported_by_connector`. */
export async function judgeSegment(
  body: unknown,
  { planner, pipeline, connector, namesFor }: Parts,
  options: Pick<AskOptions, 'signal'> = {},
): Promise<SegmentValidation> {
  const { definition, metric } = readValidateBody(body)
  const asked = metric === undefined ? planner.built() : [planner.listed(metric)]
  const about = asked.filter(hasCustomers)
  if (about.length === 0) throw unsupported(metric ?? '', connector, ['customer'])
  const { verdict, conditions } = validateSegment(definition, await namesFor(attributeKeysIn(definition)), about)
  if (conditions.length === 0) return { ...verdict, warnings: [] }
  const named = { conditions, audience: undefined, numbersOnly: false, isForecast: false }
  const { value } = await pipeline.read(options, (context) => unknownValues(named, context))
  return { ...verdict, warnings: value === undefined ? [] : [value.message] }
}
