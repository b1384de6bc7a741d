import { relation, sql } from '../../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../../src/compiler/inline.ts'
import type { AttributeType } from '../../../src/core/attribute.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { attributeField } from '../../../src/query/attributes.ts'
import type { ResolvedNames } from '../../../src/query/audience-request.ts'
import { checkSegmentDefinition } from '../../../src/query/segment-check.ts'
import { compileAudience } from '../../../src/query/segment-compile.ts'
import { segmentFields } from '../../../src/query/segment-fields.ts'
import { customer } from '../../../src/relations/customers.ts'
import { inlineColumns } from '../../../src/relations/define-relation.ts'
import { runFragment } from './run-fragment.ts'

type Cell = string | boolean | null

/** A customer of a test: name and e-mail, and a value or none for each attribute. */
export interface TestCustomer {
  readonly name: string | null
  readonly values: Readonly<Record<string, Cell>>
}

const COLUMNS = { string: 'text', number: 'decimal', boolean: 'boolean', timestamp: 'timestamp' } as const

/** Vocabulary of these attributes and the fixed fields. */
export function resolvedNamesOf(types: Readonly<Record<string, AttributeType>>): ResolvedNames {
  const attributes = Object.entries(types).map(([key, type]) => [key, attributeField({ key, label: key, type })] as const)
  return { fields: segmentFields(() => true), attributes: new Map(attributes), segments: new Map(), segment_names: [] }
}

/** Which customers, by index, are in each definition; all definitions in one statement. */
export async function membersOf(
  executor: Executor,
  customers: readonly TestCustomer[],
  types: Readonly<Record<string, AttributeType>>,
  definitions: readonly unknown[],
): Promise<readonly (readonly number[])[]> {
  const resolvedNames = resolvedNamesOf(types)
  const branches = definitions.map((definition, index) => {
    const { tree, problems } = checkSegmentDefinition(definition, resolvedNames)
    if (tree === undefined) throw new Error(`${JSON.stringify(definition)}: ${JSON.stringify(problems)}`)
    return { segment_id: `s${index}`, segment_name: `S${index}`, tree }
  })
  const compiled = compileAudience(
    { conditions: [], segment: undefined, branches, splits: true, before: new Date('2026-01-01T00:00:00Z') },
    { connector: 'test', allowUnpriced: false, hasManySources: false },
  )
  const values = compiled.attributes.map(
    (use): InlineRelation => ({
      name: use.relation,
      columns: [
        { name: 'customer_id', type: 'text' },
        { name: 'attribute_value', type: COLUMNS[types[use.key] ?? 'string'] },
      ],
      rows: customers.flatMap(({ values: own }, index) =>
        Object.hasOwn(own, use.key) ? [[`c${index}`, own[use.key] ?? null]] : [],
      ),
    }),
  )
  const rows = await runFragment(
    executor,
    sql`select seg.segment_id, seg.customer_key from ${relation('segment_member')} as seg`,
    {
      inline: [customerRows(customers), ...(compiled.branches === undefined ? [] : [compiled.branches]), ...values],
      built: new Map([['segment_member', compiled.member]]),
    },
  )
  return definitions.map((_, index) =>
    rows
      .filter((row) => row['segment_id'] === `s${index}`)
      .map((row) => Number(row['customer_key']))
      .sort((a, b) => a - b),
  )
}

function customerRows(customers: readonly TestCustomer[]): InlineRelation {
  return {
    name: 'customer',
    columns: inlineColumns(customer, 'integer'),
    rows: customers.map(({ name }, index) =>
      customer.columns.map((column) => {
        if (column.name === 'customer_key') return index
        if (column.name === 'customer_id') return `c${index}`
        if (column.name === 'customer_name') return name
        if (column.name === 'source_id') return 'one'
        return column.name === 'created_at' ? '2025-01-01 00:00:00' : null
      }),
    ),
  }
}
