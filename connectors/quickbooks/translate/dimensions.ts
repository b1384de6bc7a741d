import * as z from 'zod'
import type { LineDimensions } from '../../../src/connector-kit/index.ts'
import type { Reference } from './shapes.ts'

interface Tags {
  readonly class?: Reference
  readonly department?: Reference
  readonly project?: Reference
}

/** Names of what a line is tagged with; a tag whose name Intuit leaves out keeps its id. */
export function dimensionsOf(tags: Tags): LineDimensions {
  return present(tags, (tag) => tag.name || tag.value)
}

/** The ids behind the names. */
export function dimensionIds(tags: Tags): Readonly<Record<string, string>> {
  return present(tags, (tag) => tag.value)
}

const ref = z.object({ value: z.string(), name: z.string().nullish() }).nullish()
const detail = z.object({ ClassRef: ref, CustomerRef: ref }).nullish()
const LINE = z.object({
  DepartmentRef: ref,
  AccountBasedExpenseLineDetail: detail,
  ItemBasedExpenseLineDetail: detail,
})

/** The dimensions that a line names itself; those of its document are added when it is translated. */
export function extractDimensions(line: unknown): LineDimensions {
  const { data } = LINE.safeParse(line)
  const found = data?.AccountBasedExpenseLineDetail ?? data?.ItemBasedExpenseLineDetail
  return dimensionsOf({ class: found?.ClassRef, department: data?.DepartmentRef, project: found?.CustomerRef })
}

function present(tags: Tags, read: (tag: NonNullable<Reference>) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tags).flatMap(([name, tag]) => (tag == null ? [] : [[name, read(tag)]])))
}
