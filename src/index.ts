/** The package `plumbline`: the engine for your own programs, and the functions that extend it. */

export {
  checkConnector,
  composeCatalog,
  composeConnector,
  composeEngine,
  composeStore,
  type Extensions,
  type OwnMetric,
  startService,
} from './app/compose.ts'
export { composeExecutor } from './app/compose-executor.ts'
export { type Config, type ConfigInputs, loadConfig, processInputs } from './app/config/config.ts'
export { prepareSampleData, type SampleData } from './app/demo/sample-data.ts'
export type { Composed } from './app/service.ts'
export { type Fragment, fn, fragment, ident, join, sql, value } from './compiler/fragment.ts'
export { type Clock, fixedClock, systemClock } from './core/clock.ts'
export { type Definitions, definitionsSchema } from './core/definitions.ts'
export { AppError, ConfigurationError, type ErrorCode, InternalError, type Issue } from './core/errors.ts'
export { ratio } from './core/money.ts'
export {
  type Answer,
  type AskOptions,
  createEngine,
  type Engine,
  type EngineDependencies,
  type FieldsAnswer,
  type ListName,
  type MetricFields,
  type Readiness,
  type ReplicaPolicy,
  type Warning,
} from './engine/engine.ts'
export { BUILT_IN_METRICS, builtInRegistry } from './metrics/built-in.ts'
export { average, cents, count, FLOW, fraction, notAdditive, quotient, share } from './metrics/columns.ts'
export { defineMetric, type MetricDefinition, type MetricDocs } from './metrics/define-metric.ts'
export { defineFigure, defineList, type Figure, type List, type MetricQuery } from './metrics/define-query.ts'
export {
  type Computed,
  computed,
  type Formula,
  madeOf,
  type Numbers,
  ratioOf,
  readNumbers,
  readSeriesOf,
  rowsBehind,
  type Sum,
  sumOf,
  times,
} from './metrics/formula.ts'
export { LEVELS } from './metrics/mrr/series.ts'
export type { AnswerRow, MetricContext, MetricResult, TemplateRun } from './metrics/readings/context.ts'
export { amountsOf, justBefore, OF_MOVEMENT, OF_SUBSCRIPTION } from './metrics/readings/counted.ts'
export {
  type Axis,
  axisOf,
  bucketed,
  defineFact,
  type Fact,
  type FactSum,
  numberedBy,
  type StatementFact,
  type SummedRows,
} from './metrics/readings/fact.ts'
export { factOf, levelFact, movementFact, windowOf } from './metrics/readings/facts.ts'
export { checkSize, type KeyedRow, type PeriodGroup, tallyGroups } from './metrics/readings/groups.ts'
export { createRegistry, type Registry } from './metrics/registry.ts'
export type { MetricRoute, RouteSource } from './metrics/routes.ts'
export { dayCell, integerCell, textCell } from './ports/cells.ts'
export type { Row } from './ports/rows.ts'
export { type DimensionValue, dimensionValue } from './query/dimension-value.ts'
export { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS } from './query/dimensions/customer.ts'
export { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from './query/dimensions/plan.ts'
export { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from './query/dimensions/source.ts'
export { defineField, type FactContext, type Field } from './query/field.ts'
export { type QueryInputs, RANGE_INPUTS } from './query/inputs.ts'
export { defineDimension, type OwnDimension } from './query/own-dimension.ts'
export { type QueryRequest, rangeTime } from './query/request.ts'
export { compileScope, type Scope, type Slots } from './query/scope.ts'
export type { PointTime, RangeTime, Timeframe } from './query/timeframe.ts'
