import { digits, sql } from '../../compiler/fragment.ts'
import { attributeJson, parseAttribute } from '../../core/attribute-value.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { compileWithoutRates, type DataRun } from '../../execution/run.ts'
import { readCommonValues } from '../../execution/session/attributes/engine-attributes.ts'
import { readingOf } from '../../execution/session/attributes/entries.ts'
import type { KnownAttribute } from '../../execution/session/attributes/known-attributes.ts'
import type { RequestSession } from '../../execution/session/session.ts'
import { orWithoutStore, storedIn } from '../../execution/session/stores.ts'
import { textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { isImpersonal } from '../../query/attributes.ts'
import type { Warning } from '../../query/warning.ts'
import type { ExampleValue, FoundExamples } from './fields.ts'

/** Most examples of one field. */
const MOST_EXAMPLES = 10
/** Most rows to read from plans, and from values of customers. */
const MOST_ROWS = 1_000
/** Most stored attributes to read. Each attribute needs a pass over its values. */
const MOST_ATTRIBUTES = 100

/**
 * Reads examples from the data. It runs two statements, one more for the engine's attributes, and one on the store for each
 * stored attribute.
 */
export async function findExamples(
  attributes: readonly KnownAttribute[],
  deps: EngineDependencies,
  session: RequestSession,
  warn: (warning: Warning) => void,
): Promise<FoundExamples> {
  const { connector } = deps
  const read = async (relation: string, template: string): Promise<readonly Row[]> => {
    if ((connector.capabilities[relation] ?? 'absent') === 'absent') return []
    const page = sql`limit ${digits(MOST_ROWS)}`
    const run: DataRun = { template, slots: { page }, params: {}, window: { from: session.now, to: session.now } }
    return session.snapshot.query(await compileWithoutRates(run, { deps, session }))
  }
  const rows = [await read('plan', 'data/plan_values'), await read('customer', 'data/customer_values')]
  const { sources } = session.connector
  return {
    source: connector.type,
    source_ids: sources.map(({ source_id }) => source_id).slice(0, MOST_EXAMPLES),
    // A filter accepts only these names, so all of them are suggested.
    tenants: sources.map(({ name }) => name),
    columns: new Map(rows.flatMap(commonest)),
    attributes: new Map([
      ...(await engineExamples(attributes, deps, session)),
      ...(await orWithoutStore(storedExamples(attributes, deps, session), [], warn)),
    ]),
  }
}

// The most common rows come first, so the first values of a column are the most common ones.
function commonest(rows: readonly Row[]): readonly (readonly [string, readonly string[]])[] {
  return Object.keys(rows[0] ?? {})
    .filter((column) => column !== 'holder_count')
    .map((column) => {
      const different = new Set(rows.flatMap((row) => textCell(row, column) ?? []))
      return [column, [...different].filter((text) => text !== '').slice(0, MOST_EXAMPLES)] as const
    })
}

type AttributeExamples = readonly (readonly [string, readonly ExampleValue[]])[]

async function engineExamples(
  attributes: readonly KnownAttribute[],
  deps: EngineDependencies,
  session: RequestSession,
): Promise<AttributeExamples> {
  const common = await readCommonValues(readingOf(deps, session), MOST_EXAMPLES)
  return attributes.flatMap(({ key, type, editable }) => {
    const values = editable ? [] : (common.get(key) ?? []).flatMap((text) => parseAttribute(text, type) ?? [])
    return values.length === 0 ? [] : [[key, shown(key, type, values)] as const]
  })
}

async function storedExamples(
  attributes: readonly KnownAttribute[],
  deps: EngineDependencies,
  { workspace }: RequestSession,
): Promise<AttributeExamples> {
  const store = storedIn(deps, workspace)?.attributes
  const stored = attributes.filter(({ editable }) => editable).slice(0, MOST_ATTRIBUTES)
  const found: (readonly [string, readonly ExampleValue[]])[] = []
  for (const attribute of store === undefined ? [] : stored) {
    const values = (await store?.commonValues(attribute, MOST_EXAMPLES)) ?? []
    found.push([attribute.key, shown(attribute.key, attribute.type, values)])
  }
  return found
}

function shown(key: string, type: KnownAttribute['type'], values: readonly (string | boolean)[]): readonly ExampleValue[] {
  return values.filter((value) => isImpersonal(key, value)).map((value) => attributeJson(value, type))
}
