import type { SqlCatalog } from '../../../compiler/catalog.ts'
import { compileTemplate } from '../../../compiler/compile.ts'
import type { Dialect } from '../../../compiler/dialect.ts'
import { type BoundValue, type Fragment, sql, value } from '../../../compiler/fragment.ts'
import type { Statement } from '../../../compiler/statement.ts'
import type { ConnectorSession } from '../../../connector-kit/connector.ts'
import type { AttributeEntry, AttributeType, CustomerRef } from '../../../core/attribute.ts'
import { inferAttributeType, parseAttribute } from '../../../core/attribute-value.ts'
import { integerCell, isTrue, textCell } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import type { Snapshot } from '../../../ports/snapshot.ts'
import type { EngineDependencies } from '../../dependencies.ts'

/** The snapshot of a request, with the connector's session in it. */
export interface AttributeReading extends DataContext {
  readonly snapshot: Snapshot
}

/**
 * An attribute of the billing engine. Its oldest value decides the type. A number becomes text if another value has a leading
 * zero.
 */
export interface EngineAttribute {
  readonly key: string
  readonly type: AttributeType
  readonly is_tag: boolean
}

/** A value as the text that the engine stores. */
interface EngineValue extends CustomerRef {
  readonly key: string
  readonly text: string
}

/** The attributes that customers have in the engine. Empty if the connector has no attributes. */
export async function readEngineAttributes(reading: AttributeReading): Promise<readonly EngineAttribute[]> {
  if (!hasAttributes(reading)) return []
  const rows = await runTemplate('attribute_definitions', sql``, reading)
  return rows.map((row) => {
    const is_tag = isTrue(row['is_tag'])
    const inferred = inferAttributeType(textCell(row, 'attribute_value')) ?? 'string'
    const isCode = inferred === 'number' && integerCell(row, 'has_leading_zero') === 1
    return { key: textCell(row, 'attribute_key') ?? '', type: is_tag ? 'boolean' : isCode ? 'string' : inferred, is_tag }
  })
}

/** The engine's values that meet the conditions. `filters` names the row `fact`. */
export async function readEngineValues(reading: AttributeReading, filters: Fragment): Promise<readonly EngineValue[]> {
  if (!hasAttributes(reading)) return []
  const rows = await runTemplate('attribute_values', filters, reading)
  return rows.map((row) => ({
    source_id: textCell(row, 'source_id') ?? '',
    customer_id: textCell(row, 'customer_id') ?? '',
    key: textCell(row, 'attribute_key') ?? '',
    text: textCell(row, 'attribute_value') ?? '',
  }))
}

/** Values of one attribute that fit its type (http-api.md 7). */
export async function readTypedValues(
  reading: AttributeReading,
  key: string,
  type: AttributeType,
): Promise<readonly AttributeEntry[]> {
  const values = await readEngineValues(reading, hasKey(key))
  return values.flatMap(({ source_id, customer_id, text }) => {
    const parsed = parseAttribute(text, type)
    return parsed === undefined ? [] : [{ key, type, source_id, customer_id, value: parsed }]
  })
}

/** Values that several customers share, by key, the most common first, at most `most` for each attribute. */
export async function readCommonValues(reading: AttributeReading, most: number): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!hasAttributes(reading)) return new Map()
  const rows = await runTemplate('common_attribute_values', sql``, { ...reading, params: { ...reading.params, most } })
  const values = new Map<string, string[]>()
  for (const row of rows) {
    const key = textCell(row, 'attribute_key') ?? ''
    values.set(key, [...(values.get(key) ?? []), textCell(row, 'attribute_value') ?? ''])
  }
  return values
}

/** Condition on `fact` that keeps the values of a key. */
export function hasKey(key: string): Fragment {
  return sql` and fact.attribute_key = ${value(key, 'text')}`
}

function hasAttributes({ deps }: AttributeReading): boolean {
  return (deps.connector.capabilities['customer_field'] ?? 'absent') !== 'absent'
}

function runTemplate(query: string, filters: Fragment, reading: AttributeReading): Promise<readonly Row[]> {
  const { snapshot } = reading
  return snapshot.query(compileDataQuery(query, filters, reading, snapshot.dialect))
}

/** The inputs of a template of sql/data that reads neither rates nor a window. */
interface DataContext {
  readonly deps: Pick<EngineDependencies, 'connector'>
  readonly catalog: SqlCatalog
  readonly connector: Pick<ConnectorSession, 'inline' | 'aliases'>
  readonly params: Readonly<Record<string, BoundValue>>
}

/** The statement of sql/data/<query>.sql, narrowed by conditions that begin with `and`. */
export function compileDataQuery(
  query: string,
  filters: Fragment,
  { deps, catalog, connector, params }: DataContext,
  dialect: Dialect,
): Statement {
  return compileTemplate({
    template: catalog.query('data', query, dialect.name),
    catalog,
    inline: connector.inline,
    aliases: connector.aliases,
    params,
    slots: { filters },
    dialect,
    label: `data.${query} ${deps.connector.type}/${dialect.name}`,
  })
}
