import type pg from 'pg'
import type { Statement } from '../../compiler/statement.ts'

/** Most statements of a connection that keep their plans. */
const MOST_PLANS = 4

/** Statements that their connections keep planned. */
export interface KeptPlans {
  /**
   * The name under which the server keeps the plan of a statement. Undefined: it is planned for this time only. That is so at the first time, and
   * for a statement with values, whose best plan may depend on them.
   */
  nameFor(client: pg.PoolClient, statement: Statement): string | undefined
  /** Forgets the plans of a connection for good, because a statement with a plan failed. */
  refuse(client: pg.PoolClient): void
  /** Statements that drop plans of texts that have not been sent lately. They may be sent once. */
  takeDrops(client: pg.PoolClient): readonly string[]
}

interface Connection {
  /** The name by text, from the text that was sent longest ago. */
  readonly names: Map<string, string | undefined>
  drops: string[]
  isRefused: boolean
}

/**
 * Plans of repeated statements. To plan the look for changes takes longer than to run it. A plan belongs to a connection of the server, so no
 * connection through a pooler may have one.
 */
export function createKeptPlans(): KeptPlans {
  const connections = new WeakMap<pg.PoolClient, Connection>()
  let named = 0
  const newName = () => {
    named += 1
    return `plumbline_${named}`
  }
  const connectionOf = (client: pg.PoolClient): Connection => {
    const known = connections.get(client) ?? { names: new Map(), drops: [], isRefused: false }
    connections.set(client, known)
    return known
  }
  const trim = ({ names, drops }: Connection): void => {
    for (const [text, name] of names) {
      if (names.size <= MOST_PLANS) return
      names.delete(text)
      if (name !== undefined) drops.push(`deallocate ${name}`)
    }
  }
  return {
    nameFor(client, { text, values }) {
      const connection = connectionOf(client)
      if (values.length > 0 || connection.isRefused) return undefined
      const isRepeated = connection.names.has(text)
      const name = connection.names.get(text) ?? (isRepeated ? newName() : undefined)
      connection.names.delete(text)
      connection.names.set(text, name)
      trim(connection)
      return name
    },
    refuse(client) {
      const connection = connectionOf(client)
      connection.isRefused = true
      connection.names.clear()
    },
    takeDrops(client) {
      const connection = connectionOf(client)
      const { drops } = connection
      connection.drops = []
      return drops
    },
  }
}
