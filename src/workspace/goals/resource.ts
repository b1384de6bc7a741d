import { randomUUID } from 'node:crypto'
import type { Unit } from '../../core/column.ts'
import { AppError, errorFromIssues, type Issue } from '../../core/errors.ts'
import { goalDays } from '../../core/goal.ts'
import { isRecordId, type Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { goalStore } from '../../execution/session/stores.ts'
import type { MetricDefinition } from '../../metrics/define-metric.ts'
import { type GoalCounts, type GoalImportOptions, type GoalRecord, MOST_GOALS } from '../../ports/goal-store.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { bodyIssue } from '../records/body.ts'
import { GOAL } from '../records/goal.ts'
import { MOST_FRACTION, readGoalRow, readGoalValue, refuseProblems } from './file-rows.ts'
import { type GoalSubject, goalSubjects, subjectNamed } from './subjects.ts'

/** A goal in an answer, with the attributes of its number. `warnings` say why it is compared with nothing. */
export interface Goal extends GoalRecord, Pick<GoalSubject, 'label' | 'is_level' | 'unit'> {
  readonly warnings: readonly string[]
}

/** Result of an import. `goals` are those of the file. */
export interface GoalImport extends GoalCounts {
  readonly rows_read: number
  readonly dry_run: boolean
  readonly goals: readonly Pick<Goal, 'metric' | 'query_type' | 'measure' | 'label' | 'period' | 'value' | 'unit' | 'currency'>[]
}

/** A goal as people write it. */
export interface NewGoal {
  readonly metric: string
  readonly query_type?: string | undefined
  readonly filter?: readonly string[] | undefined
  readonly period: string
  readonly value: string
}

/** Numbers to reach in months and quarters (docs/notes-and-goals.md). */
export interface GoalResource {
  /** By number, then by period. */
  list(): Promise<readonly Goal[]>
  /** AppError `not_found`. */
  get(id: string): Promise<Goal>
  /**
   * `by` is the user who sets the goal, null if authentication is off. AppError `validation_failed` with every issue, `conflict` if the number has
   * a goal for the period.
   */
  create(body: unknown, by?: string | null): Promise<Goal>
  /**
   * Sets a goal, also if there is one: the value as people write it, an amount in units of the base currency, a rate with or without a percent sign.
   * AppError `validation_failed`.
   */
  set(goal: NewGoal, by?: string | null): Promise<Goal>
  /** Changes the value. It is then in the current base currency. AppError like `get` and `create`. */
  update(id: string, body: unknown): Promise<Goal>
  /** AppError `not_found`. */
  delete(id: string): Promise<void>
  /** Sets the goals of a CSV file. After an error nothing is written: AppError `invalid_csv` with every problem, `payload_too_large`. */
  import(file: AsyncIterable<string | Uint8Array>, options: GoalImportOptions, by?: string | null): Promise<GoalImport>
}

/** The numbers and names of the service, and the owner of the goals. */
interface GoalSurroundings {
  readonly workspace: () => Promise<Workspace>
  /** The base currency and the names of the tenants. */
  readonly present: () => Promise<{ readonly currency: string; readonly tenants: readonly string[] }>
  readonly metrics: readonly MetricDefinition[]
  /** Checks the request for the number, without a database. AppError with every issue. */
  readonly check: (metric: string, params: Raw, spec: Raw) => void
}

type Dependencies = Pick<EngineDependencies, 'store' | 'connector' | 'clock' | 'writeClock' | 'readGoals'>

/** Goals in the side store. */
export function createGoalResource(deps: Dependencies, { workspace, present, metrics, check }: GoalSurroundings): GoalResource {
  const opened = async () => goalStore(deps)(await workspace())
  const now = () => (deps.writeClock ?? deps.clock).now().toISOString()
  const subjects = new Map(goalSubjects(metrics).map((subject) => [keyOf(subject), subject]))
  const withWarnings = async (records: readonly GoalRecord[]): Promise<readonly Goal[]> => {
    if (records.length === 0) return []
    const { currency, tenants } = await present()
    return records.map((record) => {
      const subject = subjects.get(keyOf(record))
      const { label = record.measure, is_level = false, unit = record.currency === null ? 'count' : 'money' } = subject ?? {}
      const warnings = [
        ...(subject === undefined ? [`There is no number ${record.metric} ${record.query_type} ${record.measure}.`] : []),
        ...(record.currency === null || record.currency === currency
          ? []
          : [`The goal is in ${record.currency}, and the base currency is ${currency}: it is not compared. Set it again.`]),
        ...tenantsIn(record.filter).flatMap((tenant) =>
          tenants.includes(tenant) ? [] : [`There is no tenant ${JSON.stringify(tenant)}.`],
        ),
      ]
      return { ...record, label, is_level, unit, warnings }
    })
  }
  const one = async (record: GoalRecord | undefined): Promise<Goal> => {
    const [goal] = record === undefined ? [] : await withWarnings([record])
    if (goal === undefined) throw new AppError('not_found', 'No goal has this id.')
    return goal
  }
  const recordOf = (
    subject: GoalSubject,
    { value, period, filter }: Pick<GoalRecord, 'value' | 'period' | 'filter'>,
    base: string,
    by: string | null,
  ) => {
    const { metric, query_type, measure, unit } = subject
    const at = now()
    const currency = unit === 'money' ? base : null
    return {
      ...{ id: randomUUID(), metric, query_type, measure, filter, period, value, currency, created_by: by },
      created_at: at,
      updated_at: at,
    }
  }

  /** The number that a body names, its filters, and the base currency. AppError `validation_failed`. */
  const prepared = async ({
    metric,
    query_type,
    filter: given = [],
    period,
  }: Pick<NewGoal, 'metric' | 'query_type' | 'filter' | 'period'>) => {
    const subject = subjectNamed(metric, query_type, metrics)
    if ('problem' in subject) {
      const { field, problem, did_you_mean } = subject
      throw errorFromIssues([{ ...bodyIssue([field], problem), did_you_mean }])
    }
    const filter = [...new Set(given)].sort()
    atFilter(() => check(subject.metric, { query_type: subject.query_type, ...goalDays(period) }, { filters: filtersOf(filter) }))
    const { currency, tenants } = await present()
    const unknown = tenantsIn(filter).filter((tenant) => !tenants.includes(tenant))
    if (unknown.length > 0)
      throw errorFromIssues(unknown.map((tenant) => bodyIssue(['filter'], `There is no tenant ${JSON.stringify(tenant)}.`)))
    return { subject, filter, currency }
  }

  return {
    list: async () => withWarnings(await (await opened()).list()),
    get: async (id) => one(isRecordId(id) ? await (await opened()).get(id) : undefined),
    async create(body, by = null) {
      const store = await opened()
      const { value, ...given } = GOAL.body.parse(body)
      const { subject, filter, currency } = await prepared(given)
      checkValue(value, subject.unit)
      const record = recordOf(subject, { value, period: given.period, filter }, currency, by)
      await store.create(record)
      return one(record)
    },
    async set({ value: text, ...given }, by = null) {
      const store = await opened()
      // The text is read when its unit is known.
      const { value: _, ...parsed } = GOAL.body.parse({ ...given, value: 0 })
      const { subject, filter, currency } = await prepared(parsed)
      const value = readGoalValue(text, subject, currency)
      if (typeof value === 'string')
        throw errorFromIssues([bodyIssue(['value'], `"value" ${value}; got ${JSON.stringify(text)}.`)])
      const record = recordOf(subject, { value, period: parsed.period, filter }, currency, by)
      await store.put([record], true)
      const stored = (await store.list()).find((each) => isSameNumber(each, record) && each.period === record.period)
      return one(stored)
    },
    async update(id, body) {
      const store = await opened()
      const { value } = GOAL.change.parse(body)
      const found = isRecordId(id) ? await store.get(id) : undefined
      if (found === undefined || value === undefined) return one(found)
      checkValue(value, subjects.get(keyOf(found))?.unit ?? 'ratio')
      const currency = found.currency === null ? null : (await present()).currency
      return one(await store.update(id, { value, currency }, now()))
    },
    async delete(id) {
      const store = await opened()
      if (!isRecordId(id) || !(await store.delete(id))) throw new AppError('not_found', 'No goal has this id.')
    },
    async import(file, { dry_run = false, ...form }, by = null) {
      const store = await opened()
      const { readGoals } = deps
      if (readGoals === undefined) throw new AppError('unsupported_by_connector', 'This service cannot read CSV files.')
      const { currency } = await present()
      const rows: ReturnType<typeof readGoalRow>[] = []
      for await (const row of readGoals(file, form)) {
        if (rows.length === MOST_GOALS)
          throw new AppError('invalid_csv', `The file has more than ${MOST_GOALS} goals, which is the limit.`)
        rows.push(readGoalRow(row, metrics, currency))
      }
      const read = refuseProblems(rows)
      const records = read.map(({ subject, ...fields }) => recordOf(subject, { ...fields, filter: [] }, currency, by))
      const counts = await store.put(records, !dry_run)
      const goals = records.map(({ metric, query_type, measure, period, value, currency: own }, at) => {
        const { label = measure, unit = 'count' } = read[at]?.subject ?? {}
        return { metric, query_type, measure, label, period, value, unit, currency: own }
      })
      return { rows_read: rows.length, dry_run, ...counts, goals }
    },
  }
}

/** Whether two goals are for the same number of the same customers. */
function isSameNumber(one: GoalRecord, other: GoalRecord): boolean {
  return keyOf(one) === keyOf(other) && one.filter.join('\0') === other.filter.join('\0')
}

function keyOf({ metric, query_type, measure }: Pick<GoalRecord, 'metric' | 'query_type' | 'measure'>): string {
  return JSON.stringify([metric, query_type, measure])
}

/** The values by key. */
function filtersOf(filter: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const values = new Map<string, string[]>()
  for (const text of filter) {
    const at = text.indexOf('=')
    values.set(text.slice(0, at), [...(values.get(text.slice(0, at)) ?? []), text.slice(at + 1)])
  }
  return Object.fromEntries(values)
}

/** The names of tenants in filters. */
function tenantsIn(filter: readonly string[]): readonly string[] {
  return filter.flatMap((text) => (text.startsWith('tenant=') ? [text.slice('tenant='.length)] : []))
}

/** Why a number of this unit is no goal. Undefined if it is one. */
function valueFault(value: number, unit: Unit): string | undefined {
  if (unit === 'money' && !Number.isInteger(value)) return 'must be a whole number of cents'
  if (unit === 'fraction' && value > MOST_FRACTION) return `must be a fraction of at most ${MOST_FRACTION}, such as 0.05 for 5 %`
  return undefined
}

function checkValue(value: number, unit: Unit): void {
  const fault = valueFault(value, unit)
  if (fault !== undefined) throw errorFromIssues([bodyIssue(['value'], `"value" ${fault}; got ${value}.`)])
}

/** Runs a check of a request, and reports its issues at the field of the body. */
function atFilter(check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof AppError) || error.issues === undefined) throw error
    throw errorFromIssues(error.issues.map((issue): Issue => ({ ...issue, code: 'validation_failed', where: 'body.filter' })))
  }
}
