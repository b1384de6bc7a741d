import type { EngineDependencies } from '../execution/dependencies.ts'
import { fieldValues, fixedFieldValues } from '../execution/filter-values/field-values.ts'
import type { Pipeline } from '../execution/pipeline.ts'
import type { CapabilityOf } from '../execution/plan/capability.ts'
import type { Planner } from '../execution/plan/plan.ts'
import { fixedNames } from '../execution/plan/resolve-names.ts'
import type { RequestSession } from '../execution/session/session.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import { attributeKeyOf } from '../query/attributes.ts'
import type { Field } from '../query/field.ts'
import { filterableFields } from '../query/inputs.ts'
import { refuse } from '../query/issues.ts'
import { type ListInputs, parseData } from '../query/lists/request.ts'
import type { Warning } from '../query/warning.ts'
import type { Engine } from './contract.ts'
import { aggregateFields, fieldsOfMetric, hasCustomers, offersOf } from './fields.ts'
import { sourceFor } from './source-for.ts'

interface Parts {
  readonly planner: Pick<Planner, 'listed'>
  readonly pipeline: Pick<Pipeline, 'read'>
  readonly capabilityOf: CapabilityOf
  readonly cache: EngineDependencies['cache']
  readonly inSession: <T>(work: (session: RequestSession) => Promise<T>) => Promise<T>
  readonly now: () => Date
}

const INPUTS: ListInputs = { fields: [], statuses: [], takesDays: false, takesSegment: false, own: ['search'] }

/** The questions about the fields of a metric: which there are, and the values that a filter may name. */
export function createFieldQuestions({
  planner,
  pipeline,
  capabilityOf,
  cache,
  inSession,
  now,
}: Parts): Pick<Engine, 'fields' | 'fieldValues'> {
  return {
    async fields(metric, { numbersOnly = false } = {}) {
      const definition = planner.listed(metric)
      const read = async ({ attributes }: RequestSession) => {
        const warnings: Warning[] = []
        const known = await attributes.reachable((warning) => warnings.push(warning))
        return { known: [...known.values()], warnings }
      }
      if (numbersOnly)
        return { data: aggregateFields(definition, fieldsOfMetric(definition, capabilityOf, [])), meta: { warnings: [] } }
      const { known, warnings } = hasCustomers(definition) ? await inSession(read) : { known: [], warnings: [] }
      return { data: fieldsOfMetric(definition, capabilityOf, known), meta: { warnings } }
    },

    async fieldValues(metric, name, params = {}, options = {}) {
      const definition = planner.listed(metric)
      const { numbersOnly = false, disclosing = () => {} } = options
      if (attributeKeyOf(name) !== undefined) disclosing([name])
      const named = fieldsNamed(name, definition, { capabilityOf, numbersOnly })
      disclosing(named.every(({ shows }) => shows === 'totals') ? [] : [name])
      const { search } = parseData(params, {}, INPUTS, now())
      // Books are in the store, and name vendors.
      if (!hasCustomers(definition)) return fixedFieldValues(named, search)
      const source = sourceFor(
        named.flatMap(({ reads }) => reads),
        cache,
      )
      return (await pipeline.read({ ...options, ...source }, (context) => fieldValues(named, search, context))).value
    },
  }
}

/** The fields of this name, which may differ between the queries of a metric. AppError `unknown_filter`. */
function fieldsNamed(
  name: string,
  definition: MetricDefinition,
  { capabilityOf, numbersOnly }: { readonly capabilityOf: CapabilityOf; readonly numbersOnly: boolean },
): readonly Field[] {
  const filters = offersOf(definition, capabilityOf).flatMap(({ inputs }) => filterableFields(inputs, true))
  const ofSegments = [...fixedNames(capabilityOf).fields.values()].map(({ field }) => field)
  const own = filters.filter(({ key }) => key === name)
  const found = own.length > 0 || !hasCustomers(definition) ? own : ofSegments.filter(({ key }) => key === name)
  if (found.length > 0) return [...new Set(found)]
  const all = [...filters, ...(hasCustomers(definition) ? ofSegments : [])]
  const known = all.filter(({ shows }) => !numbersOnly || shows === 'totals').map(({ key }) => key)
  throw refuse('unknown_filter', 'path.field', `Unknown field "${name}".`, { value: name, known: [...new Set(known)] })
}
