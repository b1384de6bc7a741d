import { AppError } from '../../core/errors.ts'
import type { EngineDependencies } from '../dependencies.ts'
import { freshReading } from './fresh-reading.ts'

/**
 * Checks that the role cannot write, if `require_read_only` is on. Later calls skip the check once it has passed. AppError
 * `connector_unavailable` names the write privileges.
 */
export function createRoleCheck({
  executor,
  connector,
  replica,
}: Pick<EngineDependencies, 'executor' | 'connector' | 'replica'>): () => Promise<void> {
  let passed = !replica.require_read_only
  // A passed check stays valid while the process runs. A refused role is checked again at the next call.
  const readPrivileges = freshReading(() => executor.writePrivileges(connector.levelTables))
  return async () => {
    if (passed) return
    const privileges = await readPrivileges()
    if (privileges.length > 0) {
      throw new AppError(
        'connector_unavailable',
        `The database role may write, and require_read_only is on: ${privileges.join('; ')}.`,
      )
    }
    passed = true
  }
}
