import { createAuthResource } from '../auth/resource.ts'
import type { CheckFinding } from '../connector-kit/connector.ts'
import { AUTH_OFF } from '../core/auth.ts'
import { createDefinitionSets } from '../core/definition-sets/sets.ts'
import { type Viewer, viewerOfOwn, type Workspace } from '../core/workspace.ts'
import { rowsQuestion } from '../evidence/answer.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import { createPipeline } from '../execution/pipeline.ts'
import { capabilitiesOf, checkReads, missingFor } from '../execution/plan/capability.ts'
import { createPlanner } from '../execution/plan/plan.ts'
import { fixedNames, lookUp, namesAnything } from '../execution/plan/resolve-names.ts'
import { freshReading } from '../execution/session/fresh-reading.ts'
import { inHeldSession } from '../execution/session/held-session.ts'
import { createRoleCheck } from '../execution/session/role-check.ts'
import { openSession, type RequestSession } from '../execution/session/session.ts'
import { linkStore } from '../execution/session/stores.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { SegmentNames } from '../query/segment-fields.ts'
import type { Warning } from '../query/warning.ts'
import { listQuestion } from '../records/answer.ts'
import { createContractRows } from '../records/contract-rows.ts'
import { LISTS } from '../records/list.ts'
import { runChecks, sourceFindings, straightFindings } from '../trust/checks/check.ts'
import { crossCheck, type QueryApi } from '../trust/checks/cross-check.ts'
import { lakeFinding } from '../trust/checks/lake.ts'
import { createReadiness } from '../trust/checks/readiness.ts'
import { recentChecks, setupSteps, withSetup } from '../trust/checks/setup.ts'
import { createAttributeResource } from '../workspace/attributes/resource.ts'
import { dashboardAccess } from '../workspace/dashboards/bodies.ts'
import { createChartResource } from '../workspace/dashboards/charts.ts'
import { createDashboardResource } from '../workspace/dashboards/resource.ts'
import { createDeliveryRecords } from '../workspace/deliveries/records.ts'
import { createRateResource } from '../workspace/exchange-rates/resource.ts'
import { createExpenseResource } from '../workspace/expenses/resource.ts'
import { createSourceResource } from '../workspace/expenses/sources/resource.ts'
import { createLinkResource } from '../workspace/links/resource.ts'
import { findExamples } from '../workspace/segments/examples.ts'
import { segmentFieldEntries } from '../workspace/segments/fields.ts'
import { createSegmentResource } from '../workspace/segments/resource.ts'
import { bridgeQuestion } from './bridge.ts'
import { cacheCalls } from './cache-calls.ts'
import type { Engine } from './contract.ts'
import { describeSet } from './definitions.ts'
import { createFieldQuestions } from './field-questions.ts'
import { hasCustomers } from './fields.ts'
import { queryQuestion } from './query-question.ts'
import { recordCalls } from './record-calls.ts'
import { createRemarks } from './remarks.ts'
import { judgeSegment } from './segment-verdict.ts'
import { APART, LATER, slowChecks } from './slow-findings.ts'
import { REPLICA, sourceFor } from './source-for.ts'
import { unsupportedOf } from './unsupported.ts'
import { createVerification } from './verification.ts'

export type { ApiKey, NewApiKey } from '../auth/keys.ts'
export type { Initiator } from '../auth/recorder.ts'
export type { AuthResource, RequestOrigin, SignInConfig } from '../auth/resource.ts'
export type { FindingMark } from '../core/finding-mark.ts'
export type { Answer, AnswerField, AskOptions, LargePlace, Origin } from '../execution/answer/answer.ts'
export { LARGE_ROWS, PlaceNeeded } from '../execution/answer/answer.ts'
export { bodiesOf } from '../execution/answer/bodies.ts'
export type { EngineDependencies, ReplicaPolicy } from '../execution/dependencies.ts'
export type { Explanation } from '../execution/explain/explanation.ts'
export type { MetricCommand, MetricDefinition, MetricRoute } from '../metrics/define-metric.ts'
export type { DashboardPage, MetricQuery } from '../metrics/define-query.ts'
export { figureCommands, figureNamed, figureWords } from '../metrics/figure-words.ts'
export type { AttributeImportOptions, AttributeImportResult, IdKind } from '../ports/attribute-store.ts'
export type { DeliveryChange, DeliveryStore, RunOutcome, Slot } from '../ports/delivery-store.ts'
export type { ExpenseImportOptions, ExpenseImportResult } from '../ports/expense-store.ts'
export { COUNTED_KINDS } from '../ports/expense-store.ts'
export type { RateImportOptions, RateImportResult } from '../ports/fx-rate-store.ts'
export type { GoalImportOptions } from '../ports/goal-store.ts'
export type { ListName } from '../query/lists/definition.ts'
export type { Warning } from '../query/warning.ts'
export type { LedgerListName } from '../records/ledger/lists.ts'
export type { Readiness } from '../trust/checks/readiness.ts'
export { setupSteps } from '../trust/checks/setup.ts'
export type { Dashboard as SavedDashboard } from '../workspace/dashboards/resource.ts'
export type { DeliveryRecords, DeliverySecrets } from '../workspace/deliveries/records.ts'
export { newSigningKey } from '../workspace/deliveries/records.ts'
export type { MissingRate } from '../workspace/exchange-rates/resource.ts'
export type { Source } from '../workspace/expenses/sources/answers.ts'
export type { BackfillReport } from '../workspace/expenses/sources/backfills.ts'
export type { SourceResource } from '../workspace/expenses/sources/resource.ts'
export type { Goal, GoalImport } from '../workspace/goals/resource.ts'
export { type GoalSubject, goalSubjects } from '../workspace/goals/subjects.ts'
export type { Link, LinkNumbers, NewLink, OpenedLink } from '../workspace/links/resource.ts'
export type { Note } from '../workspace/notes/resource.ts'
export type { Segment } from '../workspace/segments/resource.ts'
export type { Engine } from './contract.ts'
export type { DefinitionsAnswer } from './definitions.ts'
export type { FieldsAnswer, MetricFields } from './fields.ts'
export type { Verification, VerifyOptions } from './verification.ts'

/** The engine over one billing database. The facades add only their own syntax. */
export function createEngine(deps: EngineDependencies): Engine {
  const { executor, connector, clock, writeClock = clock } = deps
  const { probe, resources } = deps.reserved ?? { probe: executor, resources: executor }
  const capabilityOf = capabilitiesOf(connector, deps.catalog, executor.dialect.name)
  const sets = createDefinitionSets(deps.definitions, connector.definitionSets, deps.definition_sets)
  const planner = createPlanner(deps.registry, connector.type, capabilityOf, { ...deps.limits, sets: sets.names })
  const checkRole = createRoleCheck({ ...deps, executor: probe })
  const pipeline = createPipeline(deps, checkRole, sets)
  const resourceDeps = { ...deps, executor: resources, cache: deps.isHeldOnly === true ? deps.cache : undefined }

  const inSession = <T>(work: (session: RequestSession) => Promise<T>): Promise<T> =>
    deps.isHeldOnly === true
      ? inHeldSession(deps, resources, work)
      : resources.withSnapshot(async (snapshot) => work(await openSession(deps, snapshot, clock.now())))

  // The workspace of a running service does not change.
  let resolved: Promise<Workspace> | undefined
  const workspace = (): Promise<Workspace> => {
    resolved ??= inSession(async (session) => session.workspace).catch((error: unknown) => {
      resolved = undefined
      throw error
    })
    return resolved
  }

  const sources = createSourceResource({
    store: deps.store,
    connectorType: connector.type,
    workspace,
    databaseSources: () => inSession(async (session) => session.connector.sources),
    unsupported: unsupportedOf(planner.built(), capabilityOf),
    platforms: deps.platforms ?? [],
    onFailure: deps.onFailure ?? (() => {}),
  })

  const deliveries = createDeliveryRecords(deps, workspace)

  const { auth: settings = AUTH_OFF, workspace: name, store, onFailure = () => {} } = deps
  // If the workspace is configured, its keys are found without the billing database.
  const owner = name === undefined ? workspace : async () => ({ name, source_ids: [] })
  const auth = createAuthResource({ settings, store, workspace: owner, onFailure })

  const namesFor = async (attributes: readonly string[]): Promise<SegmentNames> => {
    const named = { attributes, segments: [] }
    if (!namesAnything(named)) return fixedNames(capabilityOf)
    return inSession((session) => lookUp(named, deps, capabilityOf, session))
  }

  const sourceOf = (metric: string, params: Raw, spec: Raw) =>
    deps.cache === undefined ? {} : sourceFor(planner.readsOf(metric, params, spec), deps.cache)
  const api: QueryApi = {
    async query(metric, params, spec, options) {
      return pipeline.answer(queryQuestion(metric, params, spec, planner, options.disclosing), {
        ...options,
        ...sourceOf(metric, params, spec),
      })
    },

    async list(name, params, spec, options) {
      const definition = LISTS[name]
      checkReads(`the list of ${name}`, definition.reads, connector.type, capabilityOf)
      const from = name === 'invoices' ? REPLICA : {}
      return pipeline.answer(listQuestion(definition, params, spec, sets.names), { ...options, ...from })
    },

    async metricRows(metric, params, spec, { isWhole = false, ...options }) {
      // Each row shows a customer.
      options.disclosing?.([`${metric}.rows`])
      const { max_rows } = deps.limits
      return pipeline.answer(rowsQuestion(metric, params, spec, { planner, sets, isWhole, max_rows }), {
        ...options,
        ...sourceOf(metric, params, spec),
      })
    },
  }

  const findings = async (
    checked: EngineDependencies,
    runSlow: (isStraight: boolean) => Promise<readonly CheckFinding[]>,
  ): Promise<readonly CheckFinding[]> => {
    const checkedFirst = await runChecks(checked, capabilityOf, workspace)
    const straight = await straightFindings({ ...checked, cache: deps.cache })
    const found = [
      ...(deps.addresses ?? []),
      ...checkedFirst,
      ...straight,
      ...(deps.cacheRoom === undefined ? [] : [await deps.cacheRoom()]),
      ...(deps.lake === undefined ? [] : [await lakeFinding(deps.lake)]),
      ...(await runSlow(straight.some(({ level }) => level === 'warning'))),
      ...(await sourceFindings(deps, sources)),
      ...(await auth.findings()),
    ]
    return deps.setup === undefined ? found : withSetup(found, deps.setup, auth.isEnabled)
  }
  const slow = slowChecks(capabilityOf)
  const inBackground = createPipeline({ ...resourceDeps, ...(deps.cache && { cache: deps.cache }) }, checkRole, sets)
  // These checks never delay answers: they have other connections.
  const recent = recentChecks(async () => {
    const isFilling = deps.cache?.state().status === 'filling'
    const found = await findings(resourceDeps, async (isStraight) =>
      isFilling || isStraight ? slow.instead(isFilling ? LATER : APART) : slow.run(inBackground),
    )
    const setup = deps.setup === undefined ? null : setupSteps(found)
    return { checked_at: writeClock.now().toISOString(), setup, findings: found }
  })

  const dashboards = (viewer: Viewer) => createDashboardResource(dashboardAccess(deps, workspace, viewer), viewer.name)
  const rates = createRateResource(deps, { inSession, ask: api.query, onChange: () => recent.forget() })

  return {
    query: (metric, params = {}, spec = {}, options = {}) => api.query(metric, params, spec, options),
    metricRows: (metric, params = {}, spec = {}, options = {}) => api.metricRows(metric, params, spec, options),
    summary: (params = {}, spec = {}, options = {}) => api.query('summary', params, spec, options),
    list: (name, params = {}, spec = {}, options = {}) => api.list(name, params, spec, options),

    async bridge(metric, params = {}, spec = {}, options = {}) {
      return pipeline.answer(bridgeQuestion(metric, params, spec, { planner, sets, disclosing: options.disclosing }), {
        ...options,
        ...sourceOf(metric, params, spec),
      })
    },
    definitions: (set) => inSession(async (session) => describeSet(sets, set, session.definitions.base_currency)),
    ...recordCalls({ pipeline, sets, connector, cache: deps.cache, capabilityOf }),

    rows: createContractRows(deps, pipeline, capabilityOf),

    compile: async (metric, params = {}, spec = {}) => pipeline.compile(queryQuestion(metric, params, spec, planner)),

    metrics: () => deps.registry.names,
    metric: (name) => planner.find(name),
    supported: (name) => planner.supported(name),
    ...createFieldQuestions({ planner, pipeline, capabilityOf, cache: deps.cache, inSession, now: () => clock.now() }),
    tenants: () => inSession(async ({ connector: { sources: all } }) => all.map(({ name, source_id }) => ({ name, source_id }))),
    validateSegment: (body, options) => judgeSegment(body, { planner, pipeline, connector: connector.type, namesFor }, options),
    async segmentFields() {
      const { fields } = fixedNames(capabilityOf)
      const isAnswered = (definition: MetricDefinition) =>
        Object.values(definition.queries).some((query) => missingFor(definition, query, capabilityOf).length === 0)
      const metrics = planner.built().filter((definition) => hasCustomers(definition) && isAnswered(definition))
      return inSession(async (session) => {
        const warnings: Warning[] = []
        const warn = (warning: Warning) => void (warnings.length === 0 && warnings.push(warning))
        const attributes = [...(await session.attributes.reachable(warn)).values()]
        const found = await findExamples(attributes, deps, session, warn)
        const names = metrics.map(({ name }) => name)
        return { data: segmentFieldEntries({ fields }, attributes, names, found), meta: { warnings } }
      })
    },
    attributes: createAttributeResource(
      resourceDeps,
      { look: createPipeline(resourceDeps, checkRole, sets), read: pipeline },
      fixedNames(capabilityOf),
    ),
    segments: createSegmentResource(deps, namesFor, workspace),
    ...createRemarks(deps, { pipeline, capabilityOf, planner, inSession }, workspace),
    expenses: createExpenseResource(deps, workspace, inSession),
    rates,
    dashboards,
    links: createLinkResource({
      isSignInOn: auth.isEnabled,
      store: async () => linkStore(deps)(await workspace()),
      dashboards,
      charts: (viewer) => dashboardAccess(deps, workspace, viewer).store(),
      changes: auth.changes,
      onFailure,
    }),
    charts: (user) => createChartResource(dashboardAccess(deps, workspace, viewerOfOwn(user))),
    sources,
    deliveries,
    auth,
    readiness: freshReading(createReadiness({ ...deps, executor: probe }, sources, deliveries)),
    statistics: () => ({
      queues: { replica: executor.load(), cache: deps.cache?.load() ?? null },
      cache: deps.cache?.statistics() ?? null,
      ...(store?.enabled === true ? { sources: sources.figures() } : {}),
      ...(deps.lakeFigures === undefined ? {} : { lake: deps.lakeFigures() }),
    }),
    check: async ({ cross = false, isQuick = false } = {}) => [
      ...(await findings(deps, async () => (isQuick ? [] : slow.run(pipeline)))),
      ...(cross ? await crossCheck(deps, api, workspace) : []),
    ],
    crossCheck: () => crossCheck(deps, api, workspace),
    ...cacheCalls(deps.cache),
    checks: ({ refresh = false } = {}) => recent.read(refresh),
    verification: createVerification(deps, { pipeline, planner, capabilityOf, sets, api, rates }),
    async close() {
      await sources.close()
      await auth.close()
      await deps.cache?.close()
      const executors = new Set([executor, probe, resources])
      await Promise.all([deps.store?.close(), ...[...executors].map((each) => each.close())])
    },
  }
}
