import * as z from 'zod'
import { sql } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import { amount } from '../../core/amount.ts'
import { type FindingMark, MARK_STATES, type MarkedAmounts, type MarkedThing, markedKey } from '../../core/finding-mark.ts'
import type { RunContext } from '../../execution/run.ts'
import { orWithoutStore, storedIn } from '../../execution/session/stores.ts'
import type { Condition } from '../../query/condition.ts'
import { listField } from '../../query/lists/definition.ts'

/** Values of the filter `mark`. */
export const MARK_FILTER = ['none', ...MARK_STATES] as const

/** The filter on marks, for rows of the statement that has `mark`. */
export const MARK_FIELD = listField(
  'mark',
  'none, seen, or no_error for findings that a person has marked as no error',
  sql`coalesce(mark.state, 'none')`,
  { known: MARK_FILTER },
)

/** A finding has grown if its amount is more than this multiple of that on the day of its mark (H7). */
const GROWTH = 1.5

const cents = (description: string) => amount(z.number().int().nullable().describe(`${description}; null if it was unknown`))

/** The mark of a finding or notice, as its row shows it (H7). */
export const ROW_MARK = z
  .strictObject({
    id: z.string(),
    state: z.enum(MARK_STATES),
    note: z.string().nullable(),
    author: z.string().nullable().describe('`key:<id>` or `oidc:<subject>`. Null if the author was not signed in'),
    marked_on: z.string().meta({ format: 'date' }).describe('Day of the mark in UTC'),
    monthly_base_cents: cents('Amount of a month on that day, in base cents'),
    amount_base_cents: cents('Open amount of a notice on that day, in base cents'),
    has_grown: z.boolean().describe('True if one of these amounts is now more than half as large again'),
  })
  .meta({ id: 'RowMark', description: 'The mark of a finding or notice' })

export type RowMark = z.infer<typeof ROW_MARK>

/** Ids by which a caller names findings or notices of a kind. Those that are null or absent do not narrow. */
export type NamedThing = Pick<MarkedThing, 'kind'> & { readonly [Id in (typeof IDS)[number]]?: string | null | undefined }

/** A finding or notice of now, with its amounts. */
export type PresentThing = MarkedThing & MarkedAmounts

const IDS = ['source_id', 'customer_id', 'subscription_id', 'invoice_id'] as const

/** True if the ids name the finding or notice. */
export function isNamed(thing: MarkedThing, named: NamedThing): boolean {
  return thing.kind === named.kind && IDS.every((id) => (named[id] ?? thing[id]) === thing[id])
}

/** The parameters of a list that narrow it to these ids. */
export function narrowedToIds({ source_id, customer_id }: NamedThing): Readonly<Record<string, string>> {
  return {
    ...(typeof source_id === 'string' && { source_id }),
    ...(typeof customer_id === 'string' && { customer_id }),
  }
}

/** The amounts that a row has now. */
interface AmountsNow {
  readonly monthly_base_cents: number | null
  readonly amount_base_cents: number | null
}

/** The marks of the workspace of a request. */
export interface Marks {
  /** Relation `finding_mark`: the state of each marked finding. */
  readonly relation: InlineRelation
  /** The mark of a row; null if it has none. `base` is the currency of the amounts. */
  of(thing: MarkedThing, now: AmountsNow, base: string): RowMark | null
}

/** No marks at all. */
export const NO_MARKS = marksOf([])

/**
 * The marks of the workspace. None if the store is switched off, and with the warning `partial` if it cannot be reached. If a condition is about
 * marks, a store that cannot be reached is an AppError.
 */
export async function readMarks(
  conditions: readonly Condition[],
  { deps, session, warn }: Pick<RunContext, 'deps' | 'session' | 'warn'>,
): Promise<Marks> {
  const stored = storedIn(deps, session.workspace)
  if (stored === undefined) return NO_MARKS
  const marks = stored.marks.list()
  const decide = conditions.some(({ field }) => field.key === MARK_FIELD.key)
  return marksOf(decide ? await marks : await orWithoutStore(marks, [], warn, 'Marks of findings'))
}

function marksOf(marks: readonly FindingMark[]): Marks {
  const byKey = new Map(marks.map((mark) => [markedKey(mark), mark]))
  return {
    relation: {
      name: 'finding_mark',
      about: { subject: 'The marks of findings', remedy: 'Remove marks that no longer count.' },
      columns: ['source_id', 'subscription_id', 'class', 'state'].map((name) => ({ name, type: 'text' })),
      rows: marks.flatMap(({ source_id, subscription_id, kind, state }) =>
        subscription_id === null ? [] : [[source_id, subscription_id, kind, state]],
      ),
    },
    of(thing, now, base) {
      const mark = byKey.get(markedKey(thing))
      return mark === undefined ? null : rowMarkOf(mark, now, base)
    },
  }
}

function rowMarkOf(mark: FindingMark, now: AmountsNow, base: string): RowMark {
  const { id, state, note, author, created_at, base_currency, monthly_base_cents, amount_base_cents } = mark
  const hasGrown = grew(monthly_base_cents, now.monthly_base_cents) || grew(amount_base_cents, now.amount_base_cents)
  return {
    ...{ id, state, note, author, monthly_base_cents, amount_base_cents },
    marked_on: created_at.slice(0, 10),
    // Amounts in two currencies cannot be compared.
    has_grown: base_currency === base && hasGrown,
  }
}

function grew(then: number | null, now: number | null): boolean {
  return then !== null && now !== null && Math.abs(now) > GROWTH * Math.abs(then)
}
