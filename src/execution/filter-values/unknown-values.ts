import { AppError } from '../../core/errors.ts'
import { BOOK_FIELDS, type BookField, type ExpenseLists } from '../../ports/expense-store.ts'
import { attributeKeyOf, attributeUses } from '../../query/attributes.ts'
import { type Audience, audienceFilters } from '../../query/audience.ts'
import { type Condition, comparesWhole } from '../../query/condition.ts'
import { isTenantField } from '../../query/dimensions/source.ts'
import type { Field } from '../../query/field.ts'
import type { Warning } from '../../query/warning.ts'
import type { RunContext } from '../run.ts'
import { expenseStore } from '../session/stores.ts'
import { fixedValues, isPersonal } from './fixed-values.ts'
import { type HeldValues, isCompared, MOST_COMPARED, type NamedValues, nearFirst, readHeldValues } from './held-values.ts'
import { type Judged, sentenceOf } from './sentences.ts'

/** Most values that a message is about. */
const MOST_TOLD = 5

/** The parts of a request that decide which of its values are unknown. */
export interface AskedValues {
  /** The filters that are no part of the audience. */
  readonly conditions: readonly Condition[]
  readonly audience: Audience | undefined
  /** The caller may see no customers. It learns values of `conditions` only, which it may group by. Segments were written by others. */
  readonly numbersOnly: boolean
  readonly isForecast: boolean
}

/**
 * The warning about values of filters and segments that no row has (http-api.md 1.5). Undefined if all exist, or if none can be unknown: closed lists
 * and impossible values are refused before, and instants are not looked up. If the look takes too long, the warning says that there was none.
 */
export async function unknownValues(asked: AskedValues, context: RunContext): Promise<Warning | undefined> {
  const { conditions, audience, numbersOnly } = asked
  const ofAudience = audienceFilters(audience)
  const shown = numbersOnly ? conditions : [...conditions, ...ofAudience]
  try {
    const told = await unknownIn(shown, asked, context)
    const hidden = numbersOnly ? (await unknownIn(ofAudience, asked, context)).length : 0
    return warningOf(told, hidden, cutFields(shown))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'query_timeout') throw error
    return { code: 'unknown_value', message: NOT_LOOKED_UP }
  }
}

const NOT_LOOKED_UP = 'Whether rows have the values of the filters was not looked up, because that took too long.'

/** The warning about values of filters on lists of books that no record has. */
export async function unknownBookValues(
  conditions: readonly Condition[],
  books: Pick<ExpenseLists, 'texts'>,
): Promise<Warning | undefined> {
  return warningOf(missingOf(await judgeBooks(wantedValues(conditions), books)), 0, [])
}

/** A value that no row has. */
interface UnknownValue {
  readonly judged: Judged
  readonly value: string
}

function warningOf(told: readonly UnknownValue[], hidden: number, cut: readonly Field[]): Warning | undefined {
  const count = told.length + hidden
  if (count === 0 && cut.length === 0) return undefined
  const sentences = [
    ...told.slice(0, MOST_TOLD).map((one) => sentenceOf(one.judged, one.value)),
    ...(told.length > MOST_TOLD ? [`So it is with ${told.length - MOST_TOLD} more values.`] : []),
    ...(hidden > 0 ? ['A segment names a value that no row has. A credential with the scope read shows which.'] : []),
    ...cut.map(({ key }) => `Of ${key}, only the first ${MOST_COMPARED} values were looked up.`),
  ]
  return { code: 'unknown_value', message: sentences.join(' '), count }
}

async function unknownIn(
  conditions: readonly Condition[],
  asked: AskedValues,
  context: RunContext,
): Promise<readonly UnknownValue[]> {
  const named = [...wantedValues(conditions)]
  const isOfBooks = ([{ held_in }]: readonly [Field, unknown]) => held_in === 'books'
  const ofBooks = new Map(named.filter(isOfBooks))
  const judged = await judge(new Map(named.filter((one) => !isOfBooks(one))), asked, context)
  const { deps, session } = context
  return missingOf(
    ofBooks.size === 0 ? judged : [...judged, ...(await judgeBooks(ofBooks, expenseStore(deps)(session.workspace)))],
  )
}

function missingOf(judged: readonly Judged[]): readonly UnknownValue[] {
  return judged.flatMap((one) =>
    one.wanted.filter((text) => !one.held.values.includes(text)).map((value) => ({ judged: one, value })),
  )
}

/** The values that conditions name, by field. */
function wantedValues(conditions: readonly Condition[]): ReadonlyMap<Field, readonly string[]> {
  const byKey = new Map<string, { readonly field: Field; readonly texts: Set<string> }>()
  for (const { field, operator, values } of conditions) {
    // Parts and bounds need not be in any row.
    if (!comparesWhole(operator) || !isOpen(field)) continue
    const one = byKey.get(field.key) ?? { field, texts: new Set<string>() }
    for (const value of values) one.texts.add(String(value))
    byKey.set(field.key, one)
  }
  return new Map([...byKey.values()].flatMap(({ field, texts }) => (texts.size === 0 ? [] : [[field, [...texts]] as const])))
}

/** The fields of which not all values are looked up. */
function cutFields(conditions: readonly Condition[]): readonly Field[] {
  return [...wantedValues(conditions)].flatMap(([field, wanted]) =>
    isCompared(field) && wanted.length > MOST_COMPARED ? [field] : [],
  )
}

/** True for a text, number or date that may have any value, and for flags of customers: a tag has only the value true. */
function isOpen(field: Field): boolean {
  const { key, type, known } = field
  if (known.length > 0 || isTenantField(field)) return false
  return type === 'string' || isCompared(field) || (attributeKeyOf(key) !== undefined && type === 'boolean')
}

async function judge(
  named: ReadonlyMap<Field, readonly string[]>,
  { audience, isForecast }: AskedValues,
  context: RunContext,
): Promise<readonly Judged[]> {
  const judged: Judged[] = []
  const asked: NamedValues[] = []
  for (const [field, all] of named) {
    const wanted = isCompared(field) ? all.slice(0, MOST_COMPARED) : all
    const fixed = fixedValues(field, context)
    const attribute = fixed === undefined ? await attributeOf(field, audience, context) : undefined
    if (fixed !== undefined) judged.push({ field, wanted, held: { values: fixed, count: fixed.length } })
    else if (Array.isArray(attribute)) judged.push({ field, wanted, held: heldInList(field, attribute, wanted) })
    else
      asked.push({
        field,
        wanted,
        readsOnlyWanted: isPersonal(field) || isCompared(field),
        ...(attribute !== undefined && { attribute: attribute as NonNullable<NamedValues['attribute']> }),
      })
  }
  const held = await readHeldValues(asked, { isForecast }, context)
  return [
    ...judged,
    ...asked.map(({ field, wanted }, index) => ({ field, wanted, held: held[index] ?? { values: [], count: 0 } })),
  ]
}

/** The values of an attribute that are known as a list. Numbers are equal also if they are written in different ways. */
function heldInList(field: Field, values: readonly string[], wanted: readonly string[]): HeldValues {
  if (!isCompared(field)) return nearFirst(values, wanted)
  const numbers = new Set(values.map(Number))
  return { values: wanted.filter((text) => numbers.has(Number(text))), count: null }
}

/** The values in books, by field. */
async function judgeBooks(
  named: ReadonlyMap<Field, readonly string[]>,
  books: Pick<ExpenseLists, 'texts'>,
): Promise<readonly Judged[]> {
  const judged: Judged[] = []
  for (const [field, wanted] of named) {
    const name = BOOK_FIELDS.find((key) => key === field.key)
    if (name === undefined) continue
    const present = await books.texts(name, wanted)
    const isWhole = present.length === wanted.length || OF_PARTIES.includes(name)
    const held = isWhole ? { values: present, count: null } : nearFirst(await books.texts(name), wanted)
    judged.push({ field, wanted, held })
  }
  return judged
}

/** Fields of books whose values can be names of people, or ids. */
const OF_PARTIES: readonly BookField[] = ['vendor_id', 'vendor_name', 'account_id', 'project']

/** The values of an attribute: a list, or the rows that hold them. Undefined for another field. */
async function attributeOf(field: Field, audience: Audience | undefined, { session }: RunContext) {
  const key = attributeKeyOf(field.key)
  if (key === undefined) return undefined
  // The relation of the audience is read already.
  const uses = attributeUses([...audienceFilters(audience).map((one) => one.field), field])
  const use = uses.find((one) => one.key === key)
  if (use === undefined) return undefined
  const held = await session.attributeValues(use)
  if (!('rows' in held)) return held
  const at = held.columns.findIndex(({ name }) => name === 'attribute_value')
  return [...new Set(held.rows.flatMap((row) => (row[at] === null || row[at] === undefined ? [] : [String(row[at])])))]
}
