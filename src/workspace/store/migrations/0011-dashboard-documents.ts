import type { Knex } from 'knex'
import type { Row } from '../../../ports/rows.ts'
import { documentType } from './columns.ts'

/**
 * A dashboard holds its sections and placements as one document, and counts its changes. The tables of sections and placements are folded
 * into it and dropped. Each step can run again, because MySQL commits every statement.
 */
export async function foldDashboards(knex: Knex, schema: string | undefined): Promise<void> {
  // A builder collects its steps, so each step has a new one.
  const at = () => (schema === undefined ? knex.schema : knex.schema.withSchema(schema))
  const table = (name: string) => (schema === undefined ? knex(name) : knex(name).withSchema(schema))
  const has = (name: string) => at().hasTable(name)
  const hasColumn = (name: string) => at().hasColumn('dashboard', name)
  if (!(await hasColumn('revision'))) {
    await at().alterTable('dashboard', (dashboard) => void dashboard.integer('revision').notNullable().defaultTo(1))
  }
  if (!(await hasColumn('contents'))) {
    await at().alterTable('dashboard', (dashboard) => void dashboard.specificType('contents', documentType(knex)))
  }
  if (await has('dashboard_chart')) {
    const known: Row[] = await table('dashboard').select('id').whereNull('contents')
    for (const { id } of known) {
      const dashboard_id = String(id)
      const sections = await table('dashboard_section').select('id', 'title', 'position').where({ dashboard_id })
      const charts = await table('dashboard_chart')
        .select('id', 'saved_chart_id', 'section_id', 'position')
        .where({ dashboard_id })
      await table('dashboard')
        .where({ id: dashboard_id })
        .update({ contents: JSON.stringify({ sections, charts }) })
    }
  }
  await at().dropTableIfExists('dashboard_chart')
  await at().dropTableIfExists('dashboard_section')
}
