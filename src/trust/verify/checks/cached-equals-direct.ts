import { AppError } from '../../../core/errors.ts'
import { isObject } from '../../../core/json.ts'
import type { Cell, Row } from '../../../ports/rows.ts'
import type { Check, Fault, Found } from '../check.ts'
import { withinBudget } from '../parts.ts'

/** A question for both sources. The first columns of its rows name the row. */
interface Compared {
  readonly query: string
  readonly params: Readonly<Record<string, unknown>>
  readonly dimensions: readonly string[]
}

/** I23 on this machine: the cache gives the answers of the database. */
export const cachedEqualsDirect: Check = {
  name: 'cached_equals_direct',
  description:
    'The cache gives the same answers as the database: MRR and movements of each customer, and the main queries by plan.',
  identities: ['I23'],
  unit: 'answers',
  // Questions to the database are slow.
  share: 6,
  async run(context) {
    const { facts, signal, budget_ms } = context
    const bothSources = await facts.bothSources(
      AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.floor(budget_ms)))]),
    )
    if ('reason' in bothSources) throw new AppError('unsupported_by_connector', bothSources.reason)
    const { compare } = bothSources
    const asked = questionsOf(context.range)
      .filter(({ query }) => context.isSupplied(query))
      .map((question) => {
        const known = context.dimensionsOf([question.query])
        return { ...question, dimensions: question.dimensions.filter((key) => known.includes(key)) }
      })
    return withinBudget(asked, context, ask)
    async function ask(question: Compared): Promise<Found> {
      const answers = await compare(question.query, question.params, { dimensions: question.dimensions })
      if (answers === null)
        return { count: 0, faults: [], parts: { done: 0, all: 1 }, remark: `${nameOf(question)} could not be compared` }
      return { count: 1, faults: differences(question, answers) }
    }
  },
}

function questionsOf(range: { readonly start: string; readonly end: string }): readonly Compared[] {
  const at = { at: range.end }
  return [
    { query: 'mrr.current', params: at, dimensions: ['customer_id'] },
    { query: 'mrr.breakdown', params: range, dimensions: ['customer_id'] },
    { query: 'mrr.waterfall', params: range, dimensions: ['plan_id'] },
    { query: 'ltv.arpu', params: at, dimensions: ['plan_id'] },
    { query: 'churn.logo', params: range, dimensions: ['plan_id'] },
    { query: 'churn.revenue', params: range, dimensions: ['plan_id'] },
    { query: 'retention.nrr', params: range, dimensions: ['plan_id'] },
    { query: 'retention.cohort_matrix', params: range, dimensions: [] },
    { query: 'trials.funnel', params: range, dimensions: ['plan_id'] },
    { query: 'usage_revenue.total', params: range, dimensions: ['plan_id'] },
    { query: 'ltv.cohort', params: range, dimensions: [] },
  ]
}

function nameOf({ query, dimensions }: Compared): string {
  return [query, ...dimensions].join(' by ')
}

/** The rows that only one source has or that differ, by the value of the dimension. */
function differences(question: Compared, { direct, cached }: { direct: unknown; cached: unknown }): readonly Fault[] {
  if (JSON.stringify(direct) === JSON.stringify(cached)) return []
  const name = nameOf(question)
  const message = `${name}: the cache gives another answer than the database`
  if (!isRows(direct) || !isRows(cached)) return [{ id: name, message }]
  const [left, right] = [textsOf(direct, question), textsOf(cached, question)]
  const keys = [...new Set([...left.keys(), ...right.keys()])].filter((key) => left.get(key) !== right.get(key))
  return keys.map((key) => ({ id: key, message: `${message} for ${key}` }))
}

/** The rows of each group as text. */
function textsOf(rows: readonly Row[], { query, dimensions }: Compared): ReadonlyMap<string, string> {
  const [dimension] = dimensions
  const texts = new Map<string, string>()
  for (const row of rows) {
    const value: Cell = dimension === undefined ? query : (row[dimension] ?? null)
    const key = `${value ?? 'null'}`
    texts.set(key, `${texts.get(key) ?? ''}${JSON.stringify(row)}`)
  }
  return texts
}

function isRows(data: unknown): data is readonly Row[] {
  return Array.isArray(data) && data.every(isObject)
}
