import { planOfPhase } from '../../../../../connectors/killbill/catalog/catalog-version.ts'
import { begins, type LifeEvent } from './events.ts'
import type { Instant } from './instant.ts'

/** Facts in force after all rows up to and including an instant (KB 2.3). */
export interface State {
  readonly at: Instant
  /** The plan of the phase (KB 3.4). The plan in the row itself may differ. */
  readonly plan: string
  readonly phase: string
  readonly price_list: string | null
  /** Instant of the last CREATE, TRANSFER or CHANGE: the c of KB 3.5. */
  readonly entered: Instant
  /** Instant of the last row that set the phase. */
  readonly phase_since: Instant
  /** Last agreed quantity, at least 1 (D23). */
  readonly quantity: number
}

/** One state per instant at which a row changes something. All rows of the instant are applied to it (D28). */
export function statesOf(events: readonly LifeEvent[]): State[] {
  const states: State[] = []
  let quantity = 1
  for (const event of events) {
    if (event.kind === 'quantity') quantity = Math.max(1, event.row.quantity ?? 1)
    const next = nextState(states.at(-1), event, quantity)
    if (next === null) continue
    if (states.at(-1)?.at === event.at) states.pop()
    states.push(next)
  }
  return states
}

function nextState(state: State | undefined, { at, kind, row }: LifeEvent, quantity: number): State | null {
  if (kind === 'start' || kind === 'transfer' || kind === 'change') {
    const phase = row.phase_name ?? state?.phase ?? ''
    return { at, plan: planOfPhase(phase), phase, price_list: row.price_list_name, entered: at, phase_since: at, quantity }
  }
  if (state === undefined) return null
  const { price_list, entered } = state
  if (kind === 'phase' && row.phase_name !== null)
    return { at, plan: planOfPhase(row.phase_name), phase: row.phase_name, price_list, entered, phase_since: at, quantity }
  return { ...state, at, quantity }
}

/** The state in force at an instant. Undefined before the first row that names a plan. */
export function stateAt(states: readonly State[], at: Instant): State | undefined {
  return states.findLast((state) => state.at <= at)
}

/** The name of a phase shows that it is a trial (KB 6). */
export function isTrialPhase(phase: string): boolean {
  return phase.endsWith('-trial')
}

/** Start b of a subscription, and whether a transfer began it (D17). Null if no row begins it yet. */
export function startOf(events: readonly LifeEvent[]): { readonly at: Instant; readonly transferred: boolean } | null {
  const first = events.find(begins)
  return first === undefined ? null : { at: first.at, transferred: first.kind === 'transfer' }
}
