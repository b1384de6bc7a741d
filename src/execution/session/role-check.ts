import { AppError } from '../../core/errors.ts'
import type { EngineDependencies } from '../dependencies.ts'
import { freshReading } from './fresh-reading.ts'

/**
 * Checks, until it passes once, that the role may not write where read-only is required; it asks through the executor given. AppError
 * `connector_unavailable` names what the role may write.
 */
export function createRoleCheck({ executor, replica }: Pick<EngineDependencies, 'executor' | 'replica'>): () => Promise<void> {
  let passed = !replica.require_read_only
  // A role does not lose a privilege while the process runs, and a refused start stays refused until it does.
  const readPrivileges = freshReading(() => executor.writePrivileges())
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
