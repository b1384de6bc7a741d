import { randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { isRecordId, type SegmentRecord, type Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { segmentStore } from '../../execution/session/stores.ts'
import type { MetricDefinition } from '../../metrics/define-metric.ts'
import type { Condition } from '../../query/condition.ts'
import { conditionsIn } from '../../query/segment.ts'
import { asSentence, attributeKeysIn, checkSegmentDefinition, problemText } from '../../query/segment-check.ts'
import type { SegmentNames } from '../../query/segment-fields.ts'
import { type Body, bodyIssue } from '../records/body.ts'
import { SEGMENT, SEGMENT_FOR_METRIC } from '../records/segment.ts'

/** A segment in an answer. The warnings list names in its definition that do not exist (http-api.md 6.3). */
export interface Segment extends SegmentRecord {
  readonly warnings: readonly string[]
}

/** The saved segments (http-api.md 6). */
export interface SegmentResource {
  /** Last changed first. */
  list(): Promise<readonly Segment[]>
  /** AppError `not_found`. */
  get(id: string): Promise<Segment>
  /**
   * `by` is the user who creates the segment, null if authentication is off. AppError `validation_failed` with every problem of
   * the definition itself, `conflict` if the name is taken.
   */
  create(body: unknown, by?: string | null): Promise<Segment>
  /** Changes the given fields. AppError like `get` and `create`. */
  update(id: string, body: unknown): Promise<Segment>
  /** AppError `not_found`. */
  delete(id: string): Promise<void>
}

/** Looks up the attributes that definitions name. */
type NamesFor = (attributes: readonly string[]) => Promise<SegmentNames>

/** Segments in the side store. `namesFor` resolves the names in definitions. The segments belong to `workspace`. */
export function createSegmentResource(
  deps: Pick<EngineDependencies, 'store' | 'connector' | 'clock' | 'writeClock'>,
  namesFor: NamesFor,
  workspace: () => Promise<Workspace>,
): SegmentResource {
  const opened = async () => segmentStore(deps)(await workspace())
  const withWarnings = async (records: readonly SegmentRecord[]): Promise<readonly Segment[]> => {
    const resolvedNames = await namesFor(records.flatMap(({ definition }) => attributeKeysIn(definition)))
    return records.map((record) => ({ ...record, warnings: warningsOf(record.definition, resolvedNames) }))
  }
  const one = async (record: SegmentRecord | undefined): Promise<Segment> => {
    const [segment] = record === undefined ? [] : await withWarnings([record])
    if (segment === undefined) throw new AppError('not_found', 'No segment has this id.')
    return segment
  }
  /** Parses a body. Refuses an invalid definition. */
  const checked = async <T>(schema: Body<T>, body: unknown, isNew: boolean): Promise<T> => {
    const definition = definitionIn(body)
    const resolvedNames = await namesFor(attributeKeysIn(definition))
    const wrong = definition === undefined && !isNew ? [] : definitionIssues(definition, resolvedNames)
    return schema.parse(body, wrong)
  }
  const now = () => (deps.writeClock ?? deps.clock).now().toISOString()

  return {
    list: async () => withWarnings(await (await opened()).list()),
    get: async (id) => one(isRecordId(id) ? await (await opened()).get(id) : undefined),
    async create(body, by = null) {
      const store = await opened()
      const { name, description, definition } = await checked(SEGMENT.body, body, true)
      const at = now()
      const record = { id: randomUUID(), name, description: description ?? null, definition, created_by: by }
      await store.create({ ...record, created_at: at, updated_at: at })
      return one({ ...record, created_at: at, updated_at: at })
    },
    async update(id, body) {
      const store = await opened()
      const { name, description, definition } = await checked(SEGMENT.change, body, false)
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(definition === undefined ? {} : { definition }),
      }
      return one(isRecordId(id) ? await store.update(id, change, now()) : undefined)
    },
    async delete(id) {
      const store = await opened()
      if (!isRecordId(id) || !(await store.delete(id))) throw new AppError('not_found', 'No segment has this id.')
    },
  }
}

function definitionIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'definition' in body ? body.definition : undefined
}

function definitionIssues(definition: unknown, resolvedNames: SegmentNames) {
  const { problems } = checkSegmentDefinition(definition, resolvedNames)
  return problems
    .filter(({ isUnresolved }) => !isUnresolved)
    .map((problem) => bodyIssue(['definition'], asSentence(problemText(problem))))
}

function warningsOf(definition: unknown, resolvedNames: SegmentNames): readonly string[] {
  return checkSegmentDefinition(definition, resolvedNames).problems.map(problemText)
}

/** Answer of /api/segments/validate (http-api.md 6.3). */
export interface SegmentValidation {
  readonly valid: boolean
  readonly errors: readonly string[]
  readonly errors_by_metric: Readonly<Record<string, readonly string[]>>
  /** Values that no row has. A definition with warnings is valid. */
  readonly warnings: readonly string[]
}

/** A judged definition: all its problems, or the conditions of one without problems. */
interface JudgedSegment {
  readonly verdict: Omit<SegmentValidation, 'warnings'>
  readonly conditions: readonly Condition[]
}

/** A body of validate: a definition, optionally with its metric. */
interface ValidateBody {
  readonly definition: unknown
  readonly metric: string | undefined
}

/** Reads the body. AppError `validation_failed` for fields next to `definition` and `metric`. */
export function readValidateBody(body: unknown): ValidateBody {
  if (!isObject(body) || !('definition' in body)) return { definition: body, metric: undefined }
  const { definition, metric } = SEGMENT_FOR_METRIC.parse(body)
  return { definition, metric: metric ?? undefined }
}

/**
 * All problems of a definition (http-api.md 6.3). They do not depend on the metric, because a segment has the same customers for
 * every metric.
 */
export function validateSegment(
  definition: unknown,
  resolvedNames: SegmentNames,
  metrics: readonly Pick<MetricDefinition, 'name'>[],
): JudgedSegment {
  const { tree, problems } = checkSegmentDefinition(definition, resolvedNames)
  const errors = [...new Set(problems.map(problemText))]
  const isShapeless = problems.some(({ code }) => code === 'validation_failed')
  const errors_by_metric = isShapeless ? {} : Object.fromEntries(metrics.map(({ name }) => [name, errors]))
  return {
    verdict: { valid: errors.length === 0, errors, errors_by_metric },
    conditions: tree === undefined ? [] : conditionsIn(tree).map(({ condition }) => condition),
  }
}
