import type { Knex } from 'knex'
import { instantCell, textCell } from '../../../ports/cells.ts'
import type { ExpenseWriter } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Database, table } from '../database.ts'
import { instantForStore } from '../instants.ts'

/** What is kept of sources of files: when each was last read, and in `read_to` the version of what it was given then. */
export function createFileSources(
  database: Database,
  transaction: Knex,
  workspace: string,
): Pick<ExpenseWriter, 'nextVersion' | 'touchSource'> {
  const known = async (id: string): Promise<Row | undefined> => {
    const rows: Row[] = await table(database, 'source', transaction).where({ workspace, id }).select('read_to', 'last_synced_at')
    return rows[0]
  }
  return {
    async nextVersion(sourceId, at) {
      const row = await known(sourceId)
      // Before versions were kept, the instant of the import was one.
      const last = row === undefined ? null : (textCell(row, 'read_to') ?? instantCell(row, 'last_synced_at'))
      return last === null || last < at ? at : new Date(Date.parse(last) + 1).toISOString()
    },
    async touchSource(source, at, version) {
      const read = { last_synced_at: instantForStore(at), read_to: version }
      const sources = () => table(database, 'source', transaction)
      if ((await known(source.id)) !== undefined) return void (await sources().where({ workspace, id: source.id }).update(read))
      const made = { status: 'connected', config: '{}', created_at: instantForStore(at) }
      await sources().insert({ workspace, ...source, ...made, ...read })
    },
  }
}
