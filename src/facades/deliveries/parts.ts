import type { DeliveryRecord } from '../../core/delivery.ts'
import type { Engine } from '../../engine/engine.ts'
import type { BriefingPlan } from '../presentation/briefing/briefing.ts'
import type { Channels } from './contract.ts'

/** The briefings that a delivery may have. */
export interface Briefings {
  names(): readonly string[]
  /** Undefined if no briefing has this name. */
  plan(name: string): BriefingPlan | undefined
}

/** The parts of deliveries. */
export interface DeliveryParts {
  readonly engine: Engine
  readonly briefings: Briefings
  /** Undefined for the sample data, of which nothing is sent. */
  readonly channels: Channels | undefined
  /** The day of the engine's clock. */
  readonly today: () => string
  /** The zone of the definitions, and the base currency of the configuration, if it has one. */
  readonly definitions: { readonly time_zone: string; readonly base_currency?: string | undefined }
  /** Longest lag with which nothing waits, in seconds. */
  readonly maxLagSeconds: number
  /** Called with internal errors of background work. */
  readonly onFailure: (error: unknown) => void
  /** The clock of schedules. Default: that of the machine. */
  readonly now?: () => Date
  /** Time after which the runs of a dead process are taken over, and between two looks for runs that are due. In milliseconds. */
  readonly holdMs?: number
  readonly lookMs?: number
}

/** The engine that answers for the segment of a delivery. */
export function engineFor({ segment }: Pick<DeliveryRecord, 'segment'>, engine: Engine): Engine {
  if (segment === null) return engine
  const within = (spec: Readonly<Record<string, unknown>> = {}) => ({ ...spec, segment })
  return {
    ...engine,
    query: (metric, params, spec, options) => engine.query(metric, params, within(spec), options),
    metricRows: (metric, params, spec, options) => engine.metricRows(metric, params, within(spec), options),
    summary: (params, spec, options) => engine.summary(params, within(spec), options),
    list: (name, params, spec, options) => engine.list(name, params, within(spec), options),
    renewals: (params, spec, options) => engine.renewals(params, within(spec), options),
    billingHealth: (params, spec, options) => engine.billingHealth(params, within(spec), options),
    billingFindings: (params, spec, options) => engine.billingFindings(params, within(spec), options),
  }
}
