import { randomUUID } from 'node:crypto'
import { AppError, errorFromIssues, suggest } from '../../core/errors.ts'
import { isRecordId, type Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { noteStore } from '../../execution/session/stores.ts'
import type { NoteRecord, NoteSelection } from '../../ports/note-store.ts'
import { defineField } from '../../query/field.ts'
import { oneOf } from '../../query/issues.ts'
import { equalitiesIn } from '../../query/lists/filters.ts'
import { type ListInputs, parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { bodyIssue } from '../records/body.ts'
import { NOTE } from '../records/note.ts'

/** A note in an answer. The warnings list names in it that the service does not have. */
export interface Note extends NoteRecord {
  readonly warnings: readonly string[]
}

/** Remarks on days. They never change a number (docs/notes-and-goals.md). */
export interface NoteResource {
  /** Notes by day. `metric` selects those of the metric and those of all metrics. AppError `invalid_value`. */
  list(params?: Raw): Promise<readonly Note[]>
  /** AppError `not_found`. */
  get(id: string): Promise<Note>
  /** `by` is the user who writes the note, null if authentication is off. AppError `validation_failed` with every issue. */
  create(body: unknown, by?: string | null): Promise<Note>
  /** Changes the given fields. AppError like `get` and `create`. */
  update(id: string, body: unknown): Promise<Note>
  /** AppError `not_found`. */
  delete(id: string): Promise<void>
}

/** The names of the service, and the owner of the notes. */
interface NoteSurroundings {
  readonly workspace: () => Promise<Workspace>
  readonly tenants: () => Promise<readonly string[]>
  /** Names of all metrics. */
  readonly metrics: readonly string[]
}

/** Parameters of the list of notes. */
export const NOTE_INPUTS: ListInputs = {
  fields: [
    defineField({
      key: 'metric',
      type: 'string',
      description: 'Name of a metric. Notes of all metrics are listed, too',
      expression: () => null,
    }),
  ],
  statuses: [],
  own: [],
  takesDays: true,
  takesSegment: false,
  isPlain: true,
}

/** Notes in the side store. */
export function createNoteResource(
  deps: Pick<EngineDependencies, 'store' | 'connector' | 'clock' | 'writeClock'>,
  { workspace, tenants, metrics }: NoteSurroundings,
): NoteResource {
  const opened = async () => noteStore(deps)(await workspace())
  const now = () => (deps.writeClock ?? deps.clock).now().toISOString()
  const withWarnings = async (records: readonly NoteRecord[]): Promise<readonly Note[]> => {
    const known = records.some(({ tenant }) => tenant !== null) ? await tenants() : []
    return records.map((record) => ({ ...record, warnings: warningsOf(record, known) }))
  }
  const warningsOf = ({ metric, tenant }: NoteRecord, known: readonly string[]): readonly string[] => [
    ...(metric === null || metrics.includes(metric) ? [] : [`There is no metric ${JSON.stringify(metric)}.`]),
    ...(tenant === null || known.includes(tenant) ? [] : [`There is no tenant ${JSON.stringify(tenant)}.`]),
  ]
  const one = async (record: NoteRecord | undefined): Promise<Note> => {
    const [note] = record === undefined ? [] : await withWarnings([record])
    if (note === undefined) throw new AppError('not_found', 'No note has this id.')
    return note
  }
  /** Refuses names that do not exist. AppError `validation_failed`. */
  const checkNames = async ({
    metric,
    tenant,
  }: {
    readonly metric?: string | null | undefined
    readonly tenant?: string | null | undefined
  }) => {
    const known = { metric: metrics, tenant: tenant === undefined || tenant === null ? [] : await tenants() }
    const given = { metric, tenant }
    const issues = (['metric', 'tenant'] as const).flatMap((field) => {
      const name = given[field]
      if (name === undefined || name === null || known[field].includes(name)) return []
      const message = `There is no ${field} ${JSON.stringify(name)}; it is ${oneOf(known[field])}, or null.`
      return [{ ...bodyIssue([field], message), value: name, did_you_mean: suggest(name, known[field]) }]
    })
    if (issues.length > 0) throw errorFromIssues(issues)
  }

  return {
    async list(params = {}) {
      const store = await opened()
      return withWarnings(await store.list(readSelection(params, deps.clock.now())))
    },
    get: async (id) => one(isRecordId(id) ? await (await opened()).get(id) : undefined),
    async create(body, by = null) {
      const store = await opened()
      const { day, text, metric = null, tenant = null } = NOTE.body.parse(body)
      await checkNames({ metric, tenant })
      const at = now()
      const record = { id: randomUUID(), day, text, metric, tenant, created_by: by, created_at: at, updated_at: at }
      await store.create(record)
      return one(record)
    },
    async update(id, body) {
      const store = await opened()
      const { day, text, metric, tenant } = NOTE.change.parse(body)
      const change = {
        ...(day === undefined ? {} : { day }),
        ...(text === undefined ? {} : { text }),
        ...(metric === undefined ? {} : { metric }),
        ...(tenant === undefined ? {} : { tenant }),
      }
      await checkNames(change)
      return one(isRecordId(id) ? await store.update(id, change, now()) : undefined)
    },
    async delete(id) {
      const store = await opened()
      if (!isRecordId(id) || !(await store.delete(id))) throw new AppError('not_found', 'No note has this id.')
    },
  }
}

function readSelection(params: Raw, now: Date): NoteSelection {
  const { start, end, conditions } = parseData(params, {}, NOTE_INPUTS, now)
  return { start, end, metrics: equalitiesIn(conditions, params).get('metric') }
}
