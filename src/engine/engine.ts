import type { Statement } from '../compiler/statement.ts'
import type { MetricResult } from '../metrics/define-metric.ts'
import { namedIn } from '../query/audience-request.ts'
import type { ResultRow } from '../query/cells.ts'
import { attributeKeysIn } from '../query/segment-check.ts'
import type { SegmentVocabulary } from '../query/segment-fields.ts'
import type { Warning } from '../query/warning.ts'
import { createAnswering } from './answering.ts'
import type { Answer } from './answers.ts'
import { createAttributeResource } from './attributes/resource.ts'
import { capabilitiesOf, checkReads, offerOf, unsupported } from './capability.ts'
import { METRIC_NAMES, REGISTRY } from './catalog-of-metrics.ts'
import { runChecks } from './check.ts'
import { answerPlanned } from './context.ts'
import type { Engine } from './contract.ts'
import { createContractRows } from './contract-rows.ts'
import { type Asking, crossCheck } from './cross-check.ts'
import { answerCustomer, answerList } from './data/answer.ts'
import { CUSTOMER_OFFER } from './data/customer.ts'
import { CUSTOMERS } from './data/customers.ts'
import { LISTS, offerOfList } from './data/list.ts'
import { parseData } from './data/request.ts'
import { SUBSCRIPTIONS } from './data/subscriptions.ts'
import type { EngineDependencies } from './dependencies.ts'
import { fieldsOfMetric, hasCustomers } from './fields.ts'
import { createNamedAnswering } from './named-answer.ts'
import { createPlanner } from './plan.ts'
import { checkReadiness } from './readiness.ts'
import { judgeSegment, readValidateBody } from './segment-verdict.ts'
import { createSegmentResource } from './segments/resource.ts'
import { openSession, type RequestSession } from './session.ts'
import { parseSummary, SUMMARY_OFFER } from './summary/request.ts'
import { answerSummary } from './summary/summary.ts'
import { fixedVocabulary, lookUp, namesAnything } from './vocabulary.ts'

export type { MetricDefinition, MetricRoute } from '../metrics/define-metric.ts'
export type { Warning } from '../query/warning.ts'
export type { Answer, AskOptions, FieldsAnswer, ListName, MetricFields, Readiness } from './answers.ts'
export type { Engine } from './contract.ts'
export type { EngineDependencies, ReplicaPolicy } from './dependencies.ts'

/** The cache does not hold it. */
const REPLICA = { source: 'replica' } as const

/** The engine over one billing database; the facades add nothing but their own syntax. */
export function createEngine(deps: EngineDependencies): Engine {
  const { executor, connector, clock } = deps
  const capabilityOf = capabilitiesOf(connector, deps.catalog, executor.dialect.name)
  const planner = createPlanner(REGISTRY, connector.type, capabilityOf)
  const answering = createAnswering(deps)
  const answerNamed = createNamedAnswering(deps, answering, capabilityOf)

  const inSession = <T>(work: (session: RequestSession) => Promise<T>): Promise<T> =>
    executor.withSnapshot(async (snapshot) => work(await openSession(deps, snapshot, clock.now())))

  const vocabularyFor = async (attributes: readonly string[]): Promise<SegmentVocabulary> => {
    const named = { attributes, segments: [] }
    if (!namesAnything(named)) return fixedVocabulary(capabilityOf)
    return inSession((session) => lookUp(named, deps, capabilityOf, session))
  }

  const asking: Asking = {
    async query(metric, params, spec, options) {
      const now = options.now ?? clock.now()
      return answerNamed({
        spec,
        now,
        options,
        parse: (vocabulary) => planner.plan(metric, params, spec, now, vocabulary),
        audience: ({ request }) => request.audience,
        work: async (planned, around) => shapeOf(await answerPlanned(planned, { ...around, deps, planner })),
      })
    },

    async summary(params, spec, options) {
      const now = options.now ?? clock.now()
      return answerNamed({
        spec,
        now,
        options,
        parse: (vocabulary) => parseSummary(params, spec, offerOf(SUMMARY_OFFER, capabilityOf), now, vocabulary),
        audience: (request) => request.audience,
        work: (request, around) => answerSummary(request, deps, capabilityOf, around),
      })
    },

    async list(name, params, spec, options) {
      const definition = LISTS[name]
      checkReads(`the list of ${name}`, definition.reads, connector.type, capabilityOf)
      const now = options.now ?? clock.now()
      return answerNamed({
        spec,
        now,
        options: { ...options, ...(name === 'invoices' ? REPLICA : {}) },
        parse: (vocabulary) => parseData(params, spec, offerOfList(definition), now, vocabulary),
        audience: (request) => request.audience,
        work: (request, around) => answerList(definition, request, deps, around),
      })
    },
  }

  return {
    query: (metric, params = {}, spec = {}, options = {}) => asking.query(metric, params, spec, options),
    summary: (params = {}, spec = {}, options = {}) => asking.summary(params, spec, options),
    list: (name, params = {}, spec = {}, options = {}) => asking.list(name, params, spec, options),

    async customer(id, params = {}, spec = {}, options = {}) {
      checkReads('customers', [...CUSTOMERS.reads, ...SUBSCRIPTIONS.reads], connector.type, capabilityOf)
      const now = clock.now()
      const request = parseData(params, spec, CUSTOMER_OFFER, now)
      return answering.answer(now, { ...options, ...REPLICA }, (around) => answerCustomer(id, request, deps, around))
    },

    rows: createContractRows(deps, answering, capabilityOf),

    async compile(metric, params = {}, spec = {}) {
      const now = clock.now()
      planner.plan(metric, params, spec, now)
      return executor.withSnapshot(async (snapshot) => {
        const statements: Statement[] = []
        const run = async (statement: Statement): Promise<readonly ResultRow[]> => {
          statements.push(statement)
          return []
        }
        const session = await openSession(deps, snapshot, now)
        const vocabulary = await lookUp(namedIn(spec), deps, capabilityOf, session)
        const planned = planner.plan(metric, params, spec, now, vocabulary)
        await answerPlanned(planned, { deps, planner, session, run, warn: () => {} })
        return statements
      })
    },

    metrics: () => METRIC_NAMES,
    metric: (name) => planner.find(name),
    supported: (name) => planner.supported(name),
    async fields(metric) {
      const definition = planner.supported(metric)
      const read = async ({ attributes }: RequestSession) => {
        const warnings: Warning[] = []
        const known = await attributes.reachable((warning) => warnings.push(warning))
        return { known: [...known.values()], warnings }
      }
      const { known, warnings } = hasCustomers(definition) ? await inSession(read) : { known: [], warnings: [] }
      return { data: fieldsOfMetric(definition, capabilityOf, known), meta: { warnings } }
    },
    async validateSegment(body) {
      const { definition, metric } = readValidateBody(body)
      const asked = metric === undefined ? planner.built() : [planner.supported(metric)]
      const about = asked.filter(hasCustomers)
      if (about.length === 0) throw unsupported(metric ?? '', connector.type, ['customer'])
      return judgeSegment(definition, await vocabularyFor(attributeKeysIn(definition)), about)
    },
    attributes: createAttributeResource(deps, answering, fixedVocabulary(capabilityOf)),
    segments: createSegmentResource(deps, vocabularyFor),
    readiness: () => checkReadiness(deps),
    check: async ({ cross = false } = {}) => [
      ...(await runChecks(deps, capabilityOf)),
      ...(cross ? await crossCheck(deps, asking) : []),
    ],
    async close() {
      await deps.cache?.close()
      await Promise.all([executor.close(), deps.store?.close()])
    },
  }
}

function shapeOf(result: MetricResult): Pick<Answer, 'data' | 'kind' | 'columns'> {
  switch (result.kind) {
    case 'scalar':
      return { data: result.value, kind: 'scalar', columns: [result.field] }
    case 'object':
      return { data: result.value, kind: 'object', columns: result.columns }
    case 'rows':
      return { data: result.rows, kind: 'rows', columns: result.columns }
  }
}
