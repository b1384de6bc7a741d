import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../core/errors.ts'
import { textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { SealedText } from '../../ports/source-store.ts'
import { type Access, changeConcurrently, type Database, table } from './database.ts'
import { instantForStore } from './instants.ts'

/** Longest time of one exchange. If a process dies during an exchange, other processes wait this long. */
const HOLD_MS = 60_000
const LOOK_AGAIN_MS = 50

type Query = ReturnType<typeof table>

/** The sealed secrets of the source that a query selects. Null if it has none. */
export async function secretsOf(source: Query): Promise<SealedText | null> {
  const [row]: Row[] = await source.select('secrets')
  return row === undefined ? null : textCell(row, 'secrets')
}

/**
 * Replaces the secrets of a source with the result of `work`, in one process at a time. A process marks the source's row before
 * it starts. It takes no lock, because `work` calls a platform, which takes long, and an embedded store has a single lock for
 * everything. AppError `not_found`, or `connector_unavailable` if another process keeps the mark.
 */
export async function exchangeSecrets(
  access: Access,
  workspace: string,
  id: string,
  work: (present: SealedText | null) => Promise<SealedText | null>,
): Promise<SealedText | null> {
  const source = (database: Database, scope?: Parameters<typeof table>[2]) =>
    table(database, 'source', scope).where({ workspace, id })
  const renewer = randomUUID()
  const mark = () =>
    changeConcurrently(access, async (database, transaction) => {
      const [row]: Row[] = await source(database, transaction).select('id').forUpdate()
      if (row === undefined) throw new AppError('not_found', 'No source has this id.')
      const now = new Date()
      const isFree = (either: Query) => void either.whereNull('renew_until').orWhere('renew_until', '<=', stored(now))
      const until = stored(new Date(now.getTime() + HOLD_MS))
      const marked = await source(database, transaction).andWhere(isFree).update({ renewer, renew_until: until })
      return marked > 0
    })
  const giveUpAt = Date.now() + 2 * HOLD_MS
  while (!(await mark())) {
    if (Date.now() > giveUpAt)
      throw new AppError('connector_unavailable', 'Another process is renewing the tokens of the source.')
    await pause(LOOK_AGAIN_MS)
  }
  try {
    const present = await access.read((database) => secretsOf(source(database)))
    const renewed = await work(present)
    // If this process took too long, it must not overwrite secrets that another process has stored meanwhile.
    await access.writeConcurrently(async (database) => {
      const unchanged = present === null ? source(database).whereNull('secrets') : source(database).where({ secrets: present })
      await unchanged.update({ secrets: renewed })
    })
    return await access.read((database) => secretsOf(source(database)))
  } finally {
    await access.writeConcurrently((database) =>
      source(database).where({ renewer }).update({ renewer: null, renew_until: null }).then(),
    )
  }
}

function stored(instant: Date): string {
  return instantForStore(instant.toISOString())
}
