import { dayOf } from '../core/periods.ts'
import { OUTCOMES, type StoredEvent } from '../ports/auth-store.ts'
import { defineField } from '../query/field.ts'
import { equalitiesIn } from '../query/lists/filters.ts'
import { type ListInputs, parseData } from '../query/lists/request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { AuthStores } from './deps.ts'

/** An event of the audit log in an answer. */
interface AuditRow extends Omit<StoredEvent, 'actor'> {
  readonly actor_id: string
  readonly actor_kind: StoredEvent['actor']['kind']
  readonly actor_name: string | null
}

export interface AuditPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly rows: readonly AuditRow[]
}

const text = (key: string, description: string, known: readonly string[] = []) =>
  defineField({ key, type: 'string', description, known, expression: () => null })

/** Parameters of the audit log. */
export const AUDIT_INPUTS: ListInputs = {
  fields: [
    text('actor_id', 'Id of the actor'),
    text('action', 'Action, such as `key.create`'),
    text('outcome', 'Outcome of the action', OUTCOMES),
  ],
  statuses: [],
  own: ['limit', 'offset'],
  takesDays: true,
  takesSegment: false,
  isPlain: true,
}

/** A page of the audit log, newest first. AppError such as `invalid_value` with every issue. */
export async function auditPage(openStores: () => Promise<AuthStores>, params: Raw): Promise<AuditPage> {
  // The log uses the machine's clock.
  const now = new Date()
  const { limit, offset, start, end, conditions } = parseData(params, {}, AUDIT_INPUTS, now)
  const filters = equalitiesIn(conditions, params)
  const last = end === undefined || end > dayOf(now) ? undefined : end
  const { total, rows } = await (await openStores()).audit.page({ limit, offset, start, end: last, filters })
  return { total, limit, offset, rows: rows.map(toAnswer) }
}

function toAnswer({ id, at, actor, ...event }: StoredEvent): AuditRow {
  return { id, at, actor_id: actor.id, actor_kind: actor.kind, actor_name: actor.name, ...event }
}
