import { readingOf } from '../../connector-kit/column-casts.ts'

/** Tools that copy billing tables into a lake. `plain`: rows of deleted records are gone. */
export const COPY_TOOLS = ['plain', 'fivetran', 'airbyte', 'debezium'] as const
export type CopyTool = (typeof COPY_TOOLS)[number]

interface Mark {
  readonly column: string
  /** The condition that a row is not marked as deleted. Undefined: the column has another type than the tool writes. */
  isThere(type: string): string | undefined
}

/** The column with which each tool marks the rows of deleted records. */
const MARKS: Readonly<Record<Exclude<CopyTool, 'plain'>, Mark>> = {
  fivetran: {
    column: '_fivetran_deleted',
    isThere(type) {
      const isDeleted = readingOf('_fivetran_deleted', 'boolean', type)
      return isDeleted && `not coalesce(${isDeleted.cell}, false)`
    },
  },
  airbyte: { column: '_ab_cdc_deleted_at', isThere: () => '_ab_cdc_deleted_at is null' },
  // The text of a boolean. Rows of the first snapshot may have none.
  debezium: { column: '__deleted', isThere: () => "coalesce(lower(cast(__deleted as varchar)), 'false') <> 'true'" },
}

/** The column of a tool's mark. Undefined: it marks nothing. */
export function markOf(tool: CopyTool): Mark | undefined {
  return tool === 'plain' ? undefined : MARKS[tool]
}

/** The tool that has written such a column. */
export function toolOf(column: string): CopyTool | undefined {
  return COPY_TOOLS.find((tool) => markOf(tool)?.column === column)
}
