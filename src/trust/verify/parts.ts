import { AppError } from '../../core/errors.ts'
import type { Ask, Check, Found, Identity, VerifyContext } from './check.ts'

/** Dimensions that identities are also grouped by: of plans, of customers, and of amounts. `groups_add_up` covers all. */
const GROUPED_BY: readonly string[] = ['plan_id', 'customer_country', 'currency']

/** The check of an identity over the whole range, and by a few dimensions where the identity is grouped. */
export function checkOf({ queries, isGrouped, holds, ...about }: Identity): Check {
  return {
    ...about,
    run: (context) => {
      const dimensions = isGrouped ? context.dimensionsOf(queries).filter((key) => GROUPED_BY.includes(key)) : []
      // If only the billing database answers one of the queries, it answers all of them.
      const name = queries.find(context.isDirect) ?? queries[0] ?? ''
      const groupings = [[], ...dimensions.map((key) => [key])].map((grouping) => ({ grouping, name }))
      return inSnapshots(
        groupings,
        context,
        (ask) =>
          ({ grouping }) =>
            holds(ask, { range: context.range, dimensions: grouping, filters: {} }),
      )
    },
  }
}

/** The sum of the parts. After the budget, it leaves out the rest and says so. The first part always begins. */
export async function withinBudget<T>(
  parts: readonly T[],
  context: Pick<VerifyContext, 'signal' | 'budget_ms' | 'onPart'>,
  run: (part: T) => Promise<Found>,
): Promise<Found> {
  const onFound = (soFar: readonly Found[]) => context.onPart(sumOf(soFar, parts.length))
  return sumOf(await begunWithin(parts, { ...context, onFound }, run), parts.length)
}

/** The outcomes of the parts that begin before the budget is spent, at least of the first one. */
async function begunWithin<T>(
  parts: readonly T[],
  {
    signal,
    budget_ms,
    onFound,
  }: Pick<VerifyContext, 'signal' | 'budget_ms'> & { readonly onFound: (soFar: readonly Found[]) => void },
  run: (part: T) => Promise<Found>,
): Promise<readonly Found[]> {
  const begun = performance.now()
  const found: Found[] = []
  for (const part of parts) {
    signal.throwIfAborted()
    if (found.length > 0 && performance.now() - begun > budget_ms) break
    found.push(await run(part))
    onFound(found)
  }
  return found
}

/** A part of a check that asks one query. */
interface PartOfQuery {
  readonly name: string
  /** If it reads the billing database in any case. */
  readonly source?: 'replica'
}

/**
 * As `withinBudget`, where `open` gives what runs a part in a snapshot. Queries that only the billing database answers have a snapshot of it:
 * in that of a cache, their first question would send all questions of the check to the billing database.
 */
export async function inSnapshots<T extends PartOfQuery>(
  parts: readonly T[],
  context: Pick<VerifyContext, 'signal' | 'budget_ms' | 'onPart' | 'inSnapshot' | 'isDirect'>,
  open: (ask: Ask) => (part: T) => Promise<Found>,
): Promise<Found> {
  const over = performance.now() + context.budget_ms
  const isDirect = ({ name, source }: T) => source !== undefined || context.isDirect(name)
  const batches = [
    { own: parts.filter((part) => !isDirect(part)), source: undefined },
    { own: parts.filter(isDirect), source: 'replica' as const },
  ]
  let found: readonly Found[] = []
  let left = parts.length
  for (const { own, source } of batches.filter((batch) => batch.own.length > 0)) {
    const before = found
    const budget_ms = ((over - performance.now()) * own.length) / left
    const onFound = (soFar: readonly Found[]) => context.onPart(sumOf([...before, ...soFar], parts.length))
    const asked = context.inSnapshot((ask) => begunWithin(own, { ...context, budget_ms, onFound }, open(ask)), source)
    // Over publications, nothing reads the billing database. The findings of the other parts stay.
    const begun =
      before.length === 0 ? await asked : await asked.catch(async (error: unknown) => [await ifSupplied(Promise.reject(error))])
    found = [...before, ...begun]
    left -= own.length
  }
  return sumOf(found, parts.length)
}

/** The outcome of the parts that were checked. `all` is the number of parts. */
function sumOf(found: readonly Found[], all: number): Found {
  const [first] = found
  const late = `not all was checked: ${found.length} of ${all} parts fitted into the time`
  const remarks = [...new Set([...found.map((each) => each.remark), found.length < all ? late : undefined])].filter(
    (each) => each !== undefined,
  )
  return {
    ...first,
    count: found.reduce((sum, { count }) => sum + count, 0),
    faults: found.flatMap(({ faults }) => faults),
    parts: { done: found.reduce((sum, { parts: own }) => sum + (own?.done ?? 1), 0), all },
    ...(remarks.length === 0 ? {} : { remark: remarks.join('; ') }),
  }
}

/** The outcome of a part. A query that cannot be answered has a remark in its place: expenses without a store, or tables that the role may not read. */
export function ifSupplied(found: Promise<Found>): Promise<Found> {
  return found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unsupported_by_connector')
      return { count: 0, faults: [], remark: `not checked: ${error.message}` }
    throw error
  })
}
