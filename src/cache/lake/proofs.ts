import { type Fragment, ident, join, sql, value } from '../../connector-kit/query-runner.ts'
import { InternalError } from '../../core/errors.ts'
import { parseInteger } from '../../core/money.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import { runIn, tableIn } from './place.ts'
import { type PublishedTables, tableOf } from './steps-as-tables.ts'

/** Proofs over the tables of a publication before a reader sees them. Resolves to the rows of each held relation. InternalError names what is wrong. */
export async function prove(
  snapshot: Snapshot,
  tables: PublishedTables,
  now: string,
  made: ReadonlyMap<string, number>,
): Promise<Readonly<Record<string, number>>> {
  const { id, place, held } = tables
  const tableFor = (relation: string) => tableIn(place, tableOf(id, 'held', relation))
  const counts = held.map(({ relation }) => {
    const { grain = [] } = RELATION_CONTRACTS.find(({ name }) => name === relation) ?? {}
    const columns = join(grain.map(ident), sql`, `)
    const distinct: Fragment = sql`(select count(*) from (select distinct ${columns} from ${tableFor(relation)}) as one)`
    return sql`select ${value(relation, 'text')} as relation, (select count(*) from ${tableFor(relation)}) as entries, ${distinct} as different`
  })
  const faults: string[] = []
  const rows: Record<string, number> = {}
  for (const row of await runIn(snapshot, 'counts', join(counts, sql`\nunion all\n`))) {
    const relation = String(row['relation'])
    const [entries, different] = [parseInteger(row['entries']), parseInteger(row['different'])]
    rows[relation] = entries
    if (entries !== different) faults.push(`${relation} has ${entries} rows, and only ${different} different ones by its grain`)
    const written = made.get(tableOf(id, 'held', relation))
    if (written !== entries) faults.push(`${relation} has ${entries} rows, and ${written ?? 'no'} were written`)
  }
  faults.push(...(await openLevels(snapshot, tables, now)))
  if (faults.length > 0) throw new UnprovenPublication(faults)
  return rows
}

/** A publication whose tables contradict each other. */
export class UnprovenPublication extends InternalError {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`the publication is not right: ${faults.join('; ')}`)
    this.faults = faults
    this.name = 'UnprovenPublication'
  }
}

/** The level of MRR is the sum of its movements, in each currency. */
async function openLevels(snapshot: Snapshot, { id, place, held }: PublishedTables, now: string): Promise<readonly string[]> {
  const has = (relation: string) => held.some((each) => each.relation === relation)
  if (!has('movement') || !has('subscription_span')) return []
  const at = value(now, 'timestamp')
  const rows = await runIn(
    snapshot,
    'levels',
    sql`select both.currency, sum(both.level_cents) as level_cents, sum(both.moved_cents) as moved_cents from (
  select s.currency, s.mrr_cents as level_cents, 0 as moved_cents from ${tableIn(place, tableOf(id, 'held', 'subscription_span'))} as s
  where s.is_live and s.valid_from <= ${at} and (s.valid_to is null or s.valid_to > ${at})
  union all
  select m.currency, 0 as level_cents, m.amount_cents as moved_cents from ${tableIn(place, tableOf(id, 'held', 'movement'))} as m
  where m.occurred_at <= ${at}
) as both
group by both.currency
having sum(both.level_cents) <> sum(both.moved_cents)`,
  )
  return rows.map(
    (row) =>
      `the level of MRR in ${row['currency']} is ${row['level_cents']} cents, and its movements add up to ${row['moved_cents']}`,
  )
}
