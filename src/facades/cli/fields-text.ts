import type { MetricFields } from '../../engine/engine.ts'
import { recordsText } from './text.ts'

/** The fields of a metric for people: one table per kind. */
export function fieldsText(fields: MetricFields, bold: boolean): string {
  const section = (title: string, rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]) =>
    `${title}\n${recordsText(rows.map(joinLists), columns, { bold })}`
  return [
    `query types\n${fields.query_types.join(', ')}\n`,
    section(
      'dimensions',
      fields.dimensions.map((field) => ({ ...field })),
      ['key', 'label', 'type', 'queries'],
    ),
    section(
      'time dimensions',
      fields.time_dimensions.map((field) => ({ ...field })),
      ['key', 'label'],
    ),
    section(
      'filters',
      fields.filters.map((field) => ({ ...field })),
      ['key', 'label', 'type', 'operators'],
    ),
    section(
      'attributes',
      fields.attributes.map((field) => ({ ...field })),
      ['key', 'label', 'type', 'source', 'queries'],
    ),
  ].join('\n')
}

function joinLists(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : value]))
}
