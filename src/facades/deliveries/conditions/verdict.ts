import type { AlertCondition, AlertState } from '../../../core/delivery.ts'
import type { AskOptions, Engine } from '../../../engine/engine.ts'
import type { Part } from '../../presentation/briefing/briefing.ts'

/** The means to judge a condition. The engine answers for the segment of the delivery. */
export interface Judging {
  readonly engine: Engine
  /** The day of the engine's clock. */
  readonly today: string
  readonly options: AskOptions
  readonly state: AlertState
  /** The rows among these that were sent or known before. */
  readonly knownRows: (rows: readonly string[]) => Promise<ReadonlySet<string>>
  /** True if a receiver has accepted this run already, so the others must get it too. */
  readonly isBegun: boolean
}

/** The judgement of a condition. */
export interface Verdict {
  /** The blocks of the message, and the end of its title. Undefined: there is nothing to tell, and `silence` says why. */
  readonly message?: { readonly title: string; readonly parts: readonly Part[] }
  readonly silence: string
  readonly state: AlertState
  /** All rows that are there now. They count as known once the message is sent. */
  readonly rows: readonly string[]
}

export type ConditionOf<Kind extends AlertCondition['kind']> = Extract<AlertCondition, { readonly kind: Kind }>
