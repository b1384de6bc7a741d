import * as z from 'zod'
import {
  AppError,
  type BillStatus,
  type DeletedRecord,
  type ExpenseConnector,
  type ExpenseRecord,
  type Notification,
} from '../../src/connector-kit/index.ts'
import { answeredAt } from './answers.ts'
import type { Client } from './api/client.ts'
import { GoneError } from './api/fault.ts'
import { backfillPages, resumed } from './backfill.ts'
import { normalizeAccountType, normalizePaymentType, statusOf } from './canonical.ts'
import { readChanges } from './changes.ts'
import type { ReadCompany } from './company.ts'
import { type Entity, entityNamed } from './entities.ts'
import { readMissing } from './missing.ts'
import { recordOf } from './records.ts'
import type { Company } from './translate/document.ts'
import { extractDimensions } from './translate/lines.ts'
import { centsOf } from './translate/values.ts'

/** The books of one company (docs/expenses.md). */
export function createConnector(client: Client, readCompany: ReadCompany, revoke: () => Promise<void>): ExpenseConnector {
  return {
    async *backfill({ since, progress, signal }) {
      const begun = resumed(progress, since)
      yield* backfillPages(client, await readCompany(client, signal), begun, signal)
    },
    async fetchAndTranslate(notification, signal) {
      const entity = entityNamed(notification.entity)
      if (entity === undefined) return []
      return fetchRecord(client, await readCompany(client, signal), entity, notification, signal)
    },
    changesSince: async (since, signal) => readChanges(client, await readCompany(client, signal), since, signal),
    missing: (kind, ids, signal) => readMissing(client, kind, ids, signal),
    normalizeAccountType,
    normalizeBillStatus,
    normalizePaymentType,
    extractDimensions,
    revoke,
  }
}

/**
 * The current state of a record. For a deleted record, Intuit answers with the fault 610, which alone proves nothing. So a
 * deletion is reported only if the notification is about one. Any other deletion gets its own notification and is among the
 * changes.
 */
async function fetchRecord(
  client: Client,
  company: Company,
  entity: Entity,
  { entity_id: id, operation }: Notification,
  signal: AbortSignal,
): Promise<readonly (ExpenseRecord | DeletedRecord)[]> {
  try {
    const answer = await client.get(`${entity.name.toLowerCase()}/${encodeURIComponent(id)}`, {}, signal)
    return [recordOf(entity, nativeIn(answer, entity), company, answeredAt(answer))]
  } catch (error) {
    if (!(error instanceof GoneError)) throw error
    if (operation !== 'delete') return []
    return [{ kind: entity.kind, external_id: id, updated_at: new Date(error.at ?? Date.now()).toISOString() }]
  }
}

function nativeIn(answer: unknown, { name }: Entity): unknown {
  const { data } = z.looseObject({}).safeParse(answer)
  if (data?.[name] !== undefined) return data[name]
  throw new AppError('connector_unavailable', `QuickBooks answered a question for a ${name} in a way that cannot be read.`)
}

const OWED = z.object({ TotalAmt: z.string(), Balance: z.string() })

/** Status of a native bill by its balance. Null if the bill has no balance. */
function normalizeBillStatus(native: unknown): BillStatus | null {
  const { data } = OWED.safeParse(native)
  return data === undefined ? null : statusOf({ total_cents: centsOf(data.TotalAmt), balance_cents: centsOf(data.Balance) })
}
