import type { CheckFinding, SnapshotSource } from '../../src/connector-kit/connector.ts'
import { oddNumberFindings } from '../../src/connector-kit/odd-numbers.ts'
import { fn, sql, textList } from '../../src/connector-kit/query-runner.ts'

/** Columns in which a number is NaN or infinite. The other numbers of Lago are whole. */
export function oddLagoNumbers(source: SnapshotSource, organizations: readonly string[]): Promise<readonly CheckFinding[]> {
  const ids = textList(organizations)
  return oddNumberFindings(source, 'lago', [
    {
      table: 'fixed_charge_events',
      column: 'units',
      key: 'id',
      where: sql`t.fixed_charge_id in (
        select charge.id from fixed_charges as charge where ${fn('text', sql`charge.organization_id`)} in (${ids}))`,
    },
    { table: 'plans', column: 'trial_period', key: 'id', where: sql`${fn('text', sql`t.organization_id`)} in (${ids})` },
  ])
}
