import { createHash } from 'node:crypto'
import type { DatabaseConnector, SourceRow } from '../connector-kit/connector.ts'
import type { Workspace } from '../core/workspace.ts'
import type { EngineDependencies } from './dependencies.ts'

/** Longest id that stands in a name as it is. */
const ID_LENGTH = 40

/** The workspace of a service over these sources: the configured one, else one that the choice of sources gives. */
export function workspaceOf(
  { workspace, connector }: Pick<EngineDependencies, 'workspace' | 'connector'>,
  sources: readonly SourceRow[],
): Workspace {
  const source_ids = sources.map(({ source_id }) => source_id)
  return { name: workspace ?? derivedName(connector, source_ids), source_ids }
}

// Whoever serves all sources keeps the name when one comes: the oldest, which stays, stands for the database they are in.
function derivedName({ type, servesAllSources }: DatabaseConnector, ids: readonly string[]): string {
  return servesAllSources === true ? `${type}:all:${nameOf(ids.slice(0, 1))}` : `${type}:${nameOf([...ids].sort())}`
}

function nameOf(ids: readonly string[]): string {
  const [only = ''] = ids
  if (ids.length <= 1 && only.length <= ID_LENGTH) return only
  return createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, ID_LENGTH)
}
