import { type BridgeStep, stepsBetween } from '../core/definition-sets/bridge-steps.ts'
import type { DefinitionSets } from '../core/definition-sets/sets.ts'
import type { Definitions } from '../core/definitions.ts'
import type { IssueSink } from '../query/issues.ts'
import { choice } from '../query/parameter-types.ts'
import { isAbsent, type Raw, readValue } from '../query/raw-parameters.ts'

/** Parameters that name a step of a bridge. */
export const STEP_PARAMETERS = ['from', 'to', 'bridge_step'] as const

/** The definitions just before and just after a step of a bridge. */
export interface Step {
  /** Name of the set from which the bridge goes. */
  readonly from: string
  readonly before: Definitions
  readonly after: Definitions
}

/** Splits the parameters of a request into those that name a step and the others. */
export function splitStep(params: Raw): { readonly ofStep: Raw; readonly others: Raw } {
  const isOfStep = (name: string) => STEP_PARAMETERS.some((own) => own === name)
  const pick = (wanted: boolean) => Object.fromEntries(Object.entries(params).filter(([name]) => isOfStep(name) === wanted))
  return { ofStep: pick(true), others: pick(false) }
}

/** The step that a request names. Undefined if it names none, or no valid one. */
export function stepNamed(ofStep: Raw, sets: DefinitionSets): Step | undefined {
  return readStep(ofStep, {}, sets, () => {})
}

/** The step that a request names; undefined without one. Reports missing and unknown names, each with what is allowed. */
export function readStep(ofStep: Raw, others: Raw, sets: DefinitionSets, report: IssueSink): Step | undefined {
  if (STEP_PARAMETERS.every((name) => isAbsent(ofStep[name]))) return undefined
  if (!isAbsent(others['definitions']))
    report('invalid_value', 'params.definitions', 'A step of a bridge names its definition sets with "from" and "to".')
  const [from, to] = (['from', 'to'] as const).map((name) => required(name, ofStep, sets.names, report))
  if (from === undefined || to === undefined) return undefined
  const first = sets.definitionsOf(from)
  const steps = stepsBetween(first, sets.definitionsOf(to))
  const options = steps.map(({ option }) => option)
  const option = required('bridge_step', ofStep, options, report)
  const index = steps.findIndex((step) => step.option === option)
  const step = steps[index]
  return step && { from, before: before(steps, index, first), after: step.definitions }
}

function before(steps: readonly BridgeStep[], index: number, first: Definitions): Definitions {
  return steps[index - 1]?.definitions ?? first
}

function required(name: string, given: Raw, available: readonly string[], report: IssueSink): string | undefined {
  const where = `params.${name}`
  if (!isAbsent(given[name])) return readValue(choice(available), given[name], where, report)?.value
  const what = name === 'bridge_step' ? 'an option that differs between the sets' : 'a definition set'
  report('invalid_value', where, `"${name}" must name ${what}.`, { context: { available } })
  return undefined
}
