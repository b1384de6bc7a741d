import { z } from '@hono/zod-openapi'

/** A page of rows, called after them: `CustomerPage`. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  const page = z.object({
    total: z.int().nonnegative().describe('Rows of all pages'),
    limit: z.int(),
    offset: z.int(),
    rows: z.array(row).readonly(),
  })
  const id = row.meta()?.id
  return id === undefined ? page : page.meta({ id: `${id}Page` })
}
