import type { Explanation } from '../../engine/engine.ts'

const PLACES: Readonly<Record<Explanation['sql'][number]['database'], string>> = {
  replica: 'the billing database',
  cache: 'the cache',
  store: 'the database of Plumbline',
}

/** How an answer was made, for a reader: what it left out, and each statement as a client of the database takes it. */
export function explanationText({ definitions, sources, excluded, sql, replica_sql }: Explanation): string {
  const { name, hash, version } = definitions
  const ran = sql.map(({ database, ms, rows, cost, literal }, index) => {
    const size = rows === 1 ? '1 row' : `${rows} rows`
    return `-- Statement ${index + 1} of ${sql.length}, run on ${PLACES[database]}: ${size}, ${ms} ms${costText(cost)}\n${literal}`
  })
  const would = replica_sql.map(({ literal }, index) => {
    return `-- Statement ${index + 1} of ${replica_sql.length} that the billing database would run\n${literal}`
  })
  const lines = [
    `Definitions: ${name} (${hash}), Plumbline ${version}`,
    `Tenants: ${sources.map((source) => source.name).join(', ')}`,
    `Left out: ${leftOut(excluded)}`,
  ]
  return `${[lines.join('\n'), ...ran, ...would].join('\n\n')}\n`
}

function costText(cost: Explanation['sql'][number]['cost']): string {
  if (cost === undefined) return ''
  const { bytes_read, rows_read, cpu_ms, peak_memory_bytes } = cost
  return `; read ${megabytes(bytes_read)} and ${rows_read} rows, ${cpu_ms} ms of processors, at most ${megabytes(peak_memory_bytes)} of memory`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function leftOut({ test_accounts, unpriced_subscriptions }: Explanation['excluded']): string {
  const tests = test_accounts === 0 ? [] : [testAccounts(test_accounts)]
  const count = unpriced_subscriptions.length
  const unpriced =
    count === 0
      ? []
      : [`${count === 1 ? '1 subscription' : `${count} subscriptions`} without a price: ${unpriced_subscriptions.join(', ')}`]
  const all = [...tests, ...unpriced]
  return all.length === 0 ? 'nothing' : all.join('; ')
}

function testAccounts(count: number | null): string {
  if (count === null) return 'test accounts, whose number is not known'
  return count === 1 ? '1 test account' : `${count} test accounts`
}
