import pg from 'pg'
import type { TestDatabase } from '../../../databases/test-database.ts'
import { literal } from '../../killbill/sql-literals.ts'
import type { Cells, Change } from './lago-store.ts'

/** A transaction that has written and is still open. */
export interface OpenWriting {
  commit(): Promise<void>
}

/** Writes changes into a database, several transactions at a time. */
export interface LagoWriter {
  begin(changes: readonly Change[]): Promise<OpenWriting>
  close(): Promise<void>
}

export function lagoWriter({ url }: TestDatabase): LagoWriter {
  const idle: pg.Client[] = []
  const all: pg.Client[] = []
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // Rows may be removed in any order.
    await client.query('set session_replication_role = replica')
    all.push(client)
    return client
  }
  return {
    async begin(changes) {
      const client = idle.pop() ?? (await connect())
      await client.query(['begin', ...changes.map(textOf)].join(';\n'))
      return {
        async commit() {
          await client.query('commit')
          idle.push(client)
        },
      }
    },
    close: async () => void (await Promise.all(all.map((client) => client.end()))),
  }
}

function textOf(change: Change): string {
  const { table, row } = change
  const written = (name: string, cells: Cells) => literal(cells[name] ?? null, 'text', 'postgres')
  const named = (cells: Cells) => Object.keys(cells).filter((name) => table !== 'versions' || name !== 'updated_at')
  if (change.kind === 'insert') {
    const names = named(row)
    const columns = names.map((name) => `"${name}"`).join(', ')
    return `insert into ${table} (${columns}) values (${names.map((name) => written(name, row)).join(', ')})`
  }
  if (change.kind === 'delete') return `delete from ${table} where id = ${written('id', row)}`
  const changed = named(change.cells).map((name) => `"${name}" = ${written(name, change.cells)}`)
  return `update ${table} set ${changed.join(', ')} where id = ${written('id', row)}`
}
