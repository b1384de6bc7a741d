import type { FilledRow } from '../killbill/insert-rows.ts'
import type { BillingWriter, Cells, Writing } from './billing-writer.ts'
import { PLANS } from './history-catalogs.ts'
import { DAY, type Dice, later } from './seeded-dice.ts'

/** The context of one write: one account that no open transaction holds. */
export interface Scene {
  readonly writing: Writing
  readonly writer: BillingWriter
  readonly dice: Dice
  readonly now: string
  readonly account: FilledRow
  readonly owner: Cells
}

/** One write of the engine. */
export type Write = (scene: Scene) => Promise<void>

/** Now, the past, exactly a day away, or what lies ahead. */
export function someInstant({ dice, now }: Scene): string {
  return later(now, dice.pick([0, 0, -1, 1, -DAY, DAY, DAY - 1, -7 * DAY, -40 * DAY, -200 * DAY, 3_600, 5 * DAY, 30 * DAY]))
}

/** Rows of the scene's account. */
export const own = ({ writer, account }: Scene, table: string): readonly FilledRow[] =>
  writer.rows(table).filter((row) => row['account_record_id'] === account['record_id'])

/** Writes about one of the account's rows, if it has any. */
export async function withOne(scene: Scene, table: string, write: (row: FilledRow) => Promise<unknown>): Promise<void> {
  const rows = own(scene, table)
  if (rows.length > 0) await write(scene.dice.pick(rows))
}

/** An event that sets a plan. */
export function planEvent(scene: Scene, subscription: FilledRow, user_type: string, at: string): Cells {
  const plans = PLANS[String(subscription['category']) as keyof typeof PLANS]
  const plan = scene.dice.pick(Object.keys(plans))
  const phase = `${plan}-${plans[plan]?.[0]}`
  return {
    ...event(scene, subscription, at),
    event_type: 'API_USER',
    user_type,
    plan_name: plan,
    phase_name: phase,
    price_list_name: 'DEFAULT',
  }
}

/** An event that sets nothing. */
export function event({ owner }: Scene, subscription: FilledRow, at: string): Cells {
  return {
    ...owner,
    subscription_id: subscription['id'] ?? null,
    effective_date: at,
    plan_name: null,
    phase_name: null,
    price_list_name: null,
    user_type: null,
    quantity: 0,
  }
}

/** Switches off what comes from an instant on. `account`: the one that the engine works for, where that is not the subscription's. */
export async function deactivateFrom(
  { writer, writing }: Scene,
  subscription: FilledRow,
  at: string,
  kinds: readonly string[],
  account?: Cells[string],
): Promise<void> {
  for (const row of writer.rows('subscription_events')) {
    const kind = String(row['user_type'] ?? row['event_type'])
    const isLater = row['subscription_id'] === subscription['id'] && String(row['effective_date']) >= at
    if (isLater && row['is_active'] === true && kinds.includes(kind))
      await writing.update('subscription_events', row, { is_active: false }, account)
  }
}

/** The events that an end switches off. */
export const ENDING = ['PHASE', 'CHANGE', 'EXPIRED', 'CANCEL', 'QUANTITY_UPDATE', 'BCD_UPDATE']
