import type { CheckFinding } from '../connector-kit/connector.ts'
import { AppError, ConfigurationError } from '../core/errors.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { Source } from '../workspace/expenses/sources/answers.ts'
import type { SourceResource } from '../workspace/expenses/sources/resource.ts'

/** What is to be said of the sources of books. None of it keeps figures of the billing engine from being right, so none is a failure. */
export async function sourceFindings(
  { store }: Pick<EngineDependencies, 'store'>,
  sources: Pick<SourceResource, 'list' | 'unsignedPlatforms'>,
): Promise<readonly CheckFinding[]> {
  const unsigned = sources
    .unsignedPlatforms()
    .map((type) => warning(`webhooks of ${type} are taken unsigned (${type}.allow_unsigned)`))
  if (store?.enabled !== true) return unsigned
  try {
    const stored = (await sources.list()).filter(({ kind }) => kind !== 'database')
    return [...unsigned, ...stored.flatMap(findingsOf)]
  } catch (error) {
    // The findings about database and store say what is wrong with them.
    if (error instanceof AppError || error instanceof ConfigurationError) return unsigned
    throw error
  }
}

function findingsOf({ id, status, last_synced_at, last_run, dead_letters }: Source): readonly CheckFinding[] {
  const read = last_synced_at === null ? 'not read yet' : `read up to ${last_synced_at}`
  const lapsed =
    status === 'needs_reconnect' ? [warning(`${id} has to be connected again; its books stay as they are, ${read}`)] : []
  const failed = last_run?.status === 'failed' ? [warning(`the last run of ${id} failed: ${last_run.error ?? 'no reason'}`)] : []
  const letters =
    dead_letters === 0 ? [] : [warning(`${id} has ${dead_letters} dead letters (plumbline sources dead-letters ${id})`)]
  const found = [...lapsed, ...failed, ...letters]
  return found.length > 0 ? found : [{ name: 'sources', level: 'ok', message: `${id} is ${status}, ${read}` }]
}

function warning(message: string): CheckFinding {
  return { name: 'sources', level: 'warning', message }
}
