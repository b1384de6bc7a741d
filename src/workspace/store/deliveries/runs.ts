import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { DeliveryRun, RunStatus } from '../../../core/delivery.ts'
import { instantCell, integerCell, textCell, textOf } from '../../../ports/cells.ts'
import type { DeliveryStore, RunOutcome } from '../../../ports/delivery-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Access, changeConcurrently, type Database, engineOf, table } from '../database.ts'
import { instantForStore, instantFromStore } from '../instants.ts'

/** Most runs that a process takes at a time. */
const TAKEN_AT_ONCE = 4

type Runs = Pick<DeliveryStore, 'runs' | 'lastRuns' | 'addRun' | 'takeRuns' | 'holdRun' | 'noteAccepted' | 'endRun' | 'prune'>

type AddRows = (
  database: Database,
  transaction: Knex,
  workspace: string,
  delivery: string,
  rows: readonly string[],
  at: string,
) => Promise<void>

/**
 * The runs of the deliveries of a workspace.
 *
 *     addRun ──▶ waiting ──takeRuns──▶ taken ──endRun (over)──▶ sent, silent, failed or missed
 *                  ▲                     │
 *                  └─────────────────────┘  endRun (later, released), or the hold ends
 *
 * `claim` names the process that took a run. A run that is over has no `next_attempt_at`.
 */
export function createRuns(access: Access, workspace: string, addRows: AddRows): Runs {
  const owned = (database: Database, scope?: Knex) => table(database, 'delivery_run', scope).where({ workspace })
  const taken = (database: Database, { delivery_id, slot, claim }: DeliveryRun, scope?: Knex) =>
    owned(database, scope).where({ delivery_id, slot, claim })
  return {
    runs: (id, limit) =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database).where({ delivery_id: id }).orderBy('due_at', 'desc').limit(limit)
        return rows.map(runOf)
      }),
    lastRuns: () =>
      access.read(async (database) => {
        const newest = owned(database).groupBy('delivery_id').select('delivery_id').max({ due_at: 'due_at' }).as('newest')
        const rows: Row[] = await table(database, 'delivery_run')
          .join(newest, { 'delivery_run.delivery_id': 'newest.delivery_id', 'delivery_run.due_at': 'newest.due_at' })
          .where({ 'delivery_run.workspace': workspace })
          .select('delivery_run.*')
        return new Map(rows.map(runOf).map((run) => [run.delivery_id, run]))
      }),
    addRun: (delivery_id, { slot, due_at }, now, status = 'waiting') =>
      changeConcurrently(access, async (database, transaction) => {
        const at = instantForStore(now)
        const due = { slot, due_at: instantForStore(due_at), started_at: at }
        const over = { finished_at: at, next_attempt_at: null, error: 'The service did not run at that time.' }
        const claim = randomUUID()
        await table(database, 'delivery_run', transaction)
          .insert({
            ...{ workspace, delivery_id, ...due, status, attempts: 0, accepted: '[]', claim },
            ...(status === 'missed' ? over : { finished_at: null, next_attempt_at: at, error: null }),
          })
          .onConflict(['workspace', 'delivery_id', 'slot'])
          .ignore()
        const added: Row[] = await owned(database, transaction).where({ delivery_id, slot, claim }).select('slot')
        return added.length > 0
      }),
    takeRuns: (now, holdUntil) =>
      changeConcurrently(access, async (database, transaction) => {
        const due = owned(database, transaction)
          .where('next_attempt_at', '<=', instantForStore(now))
          .orderBy(['next_attempt_at', 'delivery_id', 'slot'])
          .limit(TAKEN_AT_ONCE)
        // SQLite has one writer at a time and no row locks.
        const rows: Row[] = await (engineOf(transaction) === 'sqlite' ? due : due.forUpdate().skipLocked())
        const claim = randomUUID()
        const runs = rows.map((row) => ({ ...runOf(row), claim }))
        for (const { delivery_id, slot } of runs)
          await owned(database, transaction)
            .where({ delivery_id, slot })
            .update({ claim, next_attempt_at: instantForStore(holdUntil) })
        return runs
      }),
    holdRun: (run, holdUntil) =>
      access.writeConcurrently(
        async (database) =>
          (await taken(database, run)
            .whereNotNull('next_attempt_at')
            .update({ next_attempt_at: instantForStore(holdUntil) })) > 0,
      ),
    noteAccepted: (run, accepted) =>
      access.writeConcurrently(
        async (database) => void (await taken(database, run).update({ accepted: JSON.stringify(accepted) })),
      ),
    endRun: (run, outcome, now, rows = []) =>
      changeConcurrently(access, async (database, transaction) => {
        const ended: number = await taken(database, run, transaction).update(afterwards(run, outcome, now))
        if (ended === 0) return
        if (rows.length > 0) await addRows(database, transaction, workspace, run.delivery_id, rows, now)
        if (outcome.kind === 'over' && outcome.state !== undefined)
          await table(database, 'delivery', transaction)
            .where({ workspace, id: run.delivery_id })
            .update({ state: JSON.stringify(outcome.state) })
      }),
    prune: (before) =>
      access.writeConcurrently(async (database) => {
        const rows = table(database, 'delivery_row').where({ workspace })
        await rows.andWhere('known_at', '<', instantForStore(before.rows)).delete()
        await owned(database).andWhere('due_at', '<', instantForStore(before.runs)).whereNull('next_attempt_at').delete()
      }),
  }
}

function afterwards({ attempts }: DeliveryRun, outcome: RunOutcome, now: string): Record<string, unknown> {
  const at = instantForStore(now)
  switch (outcome.kind) {
    case 'released':
      return { claim: null, next_attempt_at: at }
    case 'later':
      return {
        ...{ claim: null, next_attempt_at: instantForStore(outcome.at), error: outcome.error },
        attempts: attempts + (outcome.counts ? 1 : 0),
      }
    case 'over':
      return {
        ...{ claim: null, next_attempt_at: null, status: outcome.status, error: outcome.error, finished_at: at },
        attempts: attempts + 1,
      }
  }
}

function runOf(row: Row): DeliveryRun {
  return {
    delivery_id: textOf(row, 'delivery_id'),
    slot: textOf(row, 'slot'),
    due_at: instantFromStore(textOf(row, 'due_at')),
    status: textOf(row, 'status') as RunStatus,
    attempts: integerCell(row, 'attempts'),
    started_at: instantFromStore(textOf(row, 'started_at')),
    finished_at: instantCell(row, 'finished_at'),
    next_attempt_at: instantCell(row, 'next_attempt_at'),
    error: textCell(row, 'error'),
    accepted: JSON.parse(textOf(row, 'accepted')) as readonly string[],
    claim: textCell(row, 'claim'),
  }
}
