import type { DatabaseConnector } from '../../../connector-kit/connector.ts'
import { AppError, ConfigurationError } from '../../../core/errors.ts'
import type { Snapshot } from '../../../ports/snapshot.ts'
import type { LakePlace } from '../place.ts'

/** One of several billing databases that a lake unites. */
export interface LakeDatabase {
  /** Small letters, digits, `-` and `_`, different for each database. */
  readonly name: string
  /** Its place among the databases, from 0. */
  readonly number: number
  /** The schema of its billing tables. */
  readonly place: LakePlace
  readonly connector: DatabaseConnector
}

/** Runs work over one database. Its refusals begin with the name of the database. */
export async function inDatabase<T>({ name }: Pick<LakeDatabase, 'name'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const prefix = `lake.databases "${name}": `
    if (error instanceof ConfigurationError)
      throw new ConfigurationError(error.problems.map((problem) => `${prefix}${problem.replace(/^connector\./, '')}`))
    if (error instanceof AppError)
      throw new AppError(error.code, `${prefix}${error.message}`, {
        context: error.context,
        cause: error.cause,
        operatorDetail: `${prefix}${error.operatorDetail}`,
      })
    throw error
  }
}

/** The snapshot with the tables of one database. A connector takes nothing from its memory there, because its keys name no database. */
export function snapshotOf(snapshot: Snapshot, { place }: Pick<LakeDatabase, 'place'>): Snapshot {
  return {
    ...snapshot,
    isRecorded: true,
    query: (statement) => snapshot.query({ ...statement, place }),
    stream: (statement) => snapshot.stream({ ...statement, place }),
  }
}
