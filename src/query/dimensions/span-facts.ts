import { defineField, type Field } from '../field.ts'

/** The same field for rows that are no spans: what it says is found on a span of their subscription. */
export function onSpan(field: Field): Field {
  return defineField({ ...field, reads: [...field.reads, 'mrr_span'] })
}

/** True when one of the fields is only known by way of a span. */
export function readsSpans(fields: readonly Field[]): boolean {
  return fields.some(({ reads }) => reads.includes('mrr_span'))
}
