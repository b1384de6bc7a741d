import { sql, value } from '../../connector-kit/query-runner.ts'
import { parseInteger } from '../../core/money.ts'
import type { CacheWriter } from '../../ports/cache-database.ts'
import { send } from '../held/held-tables.ts'

/**
 * The facts that a stored mirror holds about itself. `header`: a digest of the inputs of its rows other than the billing database. `marks`:
 * the state of the billing database that the rows show. `filled_at`: the instant of the filling by the clock of the machine.
 */
type StateName = 'header' | 'marks' | 'filled_at'

/** Replaces the mirror's fact of this name. */
export async function writeState(writer: CacheWriter, name: StateName, content: unknown): Promise<void> {
  const text = JSON.stringify(content)
  const [updated] = await send(
    writer,
    sql`update cached_state set content = ${value(text, 'text')} where name = ${value(name, 'text')}`,
  )
  if (updated !== undefined && parseInteger(updated['Count']) > 0) return
  await send(writer, sql`insert into cached_state (name, content) values (${value(name, 'text')}, ${value(text, 'text')})`)
}

/** The mirror's facts about itself. Empty for a mirror whose filling has not ended. */
export async function readState(writer: CacheWriter): Promise<Partial<Record<StateName, unknown>>> {
  const rows = await send(writer, sql`select name, content from cached_state`)
  return Object.fromEntries(rows.map(({ name, content }) => [String(name), JSON.parse(String(content)) as unknown]))
}
