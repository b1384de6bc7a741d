import type { Knex } from 'knex'
import { engineOf } from '../database.ts'
import { documentType, instantType, keyType, textType } from './columns.ts'

/**
 * Dashboards of users with their sections, saved charts, and placements of charts. Deletions cascade. `owner` is a digest of the user's id.
 * The writes of one user take turns by locking the user's row in `dashboard_owner`.
 */
export async function createDashboards(knex: Knex, schema: string | undefined): Promise<void> {
  const isMysql = engineOf(knex) === 'mysql'
  const prefix = schema === undefined ? '' : `${knex.ref(schema).toQuery().replaceAll('?', '\\?')}.`
  const name = (table: string) => `${prefix}${table}`
  const [id, workspace, owner, title] = [36, 64, 64, 200].map((length) => keyType(knex, length))
  const instant = instantType(knex)
  const owned = `id ${id} not null primary key, workspace ${workspace} not null, owner ${owner} not null,
    name ${title} not null, created_at ${instant} not null, updated_at ${instant} not null`
  // Each table is created in one statement with all its constraints. MySQL commits every statement, so an earlier run of this
  // migration may have broken off between two statements.
  const create = async (table: string, ...parts: readonly string[]): Promise<void> => {
    const [condition, options] = isMysql
      ? ['if not exists ', ' engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin']
      : ['', '']
    await knex.raw(`create table ${condition}${name(table)} (${parts.join(', ')})${options}`)
  }

  await create('dashboard_owner', `workspace ${workspace} not null`, `owner ${owner} not null`, 'primary key (workspace, owner)')
  await create('dashboard', owned, `description ${textType(knex)}`, 'constraint dashboard_of_owner unique (workspace, owner, id)')
  await create(
    'saved_chart',
    owned,
    `config ${documentType(knex)} not null`,
    'constraint saved_chart_of_owner unique (workspace, owner, id)',
  )
  await create(
    'dashboard_section',
    `dashboard_id ${id} not null`,
    `id ${id} not null`,
    `title ${title} not null`,
    'position integer not null',
    'primary key (dashboard_id, id)',
    `constraint dashboard_section_on foreign key (dashboard_id) references ${name('dashboard')} (id) on delete cascade`,
  )
  await create(
    'dashboard_chart',
    `dashboard_id ${id} not null`,
    `id ${id} not null`,
    `section_id ${id} not null`,
    `saved_chart_id ${id} not null`,
    'position integer not null',
    'primary key (dashboard_id, id)',
    // With this order of columns, the index also finds the placements of a deleted chart.
    'constraint dashboard_chart_once unique (saved_chart_id, dashboard_id)',
    `constraint dashboard_chart_in foreign key (dashboard_id, section_id)
       references ${name('dashboard_section')} (dashboard_id, id) on delete cascade`,
    `constraint dashboard_chart_of foreign key (saved_chart_id) references ${name('saved_chart')} (id) on delete cascade`,
  )
}
