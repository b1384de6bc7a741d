import type { SourceRow } from '../../src/connector-kit/connector.ts'
import { type QueryRunner, sql, text } from '../../src/connector-kit/query-runner.ts'
import { chooseSources } from '../../src/connector-kit/source-choice.ts'

/** A row of `organizations`, without its secrets. */
export interface Organization {
  readonly id: string
  readonly name: string
}

/** All organizations, the oldest first. */
export async function readOrganizations(run: QueryRunner): Promise<readonly Organization[]> {
  const rows = await run(
    'lago.organizations',
    sql`select organization.id, organization.name from organizations as organization order by organization.created_at, organization.id`,
  )
  return rows.map((row) => ({ id: text(row['id']), name: text(row['name']) }))
}

/**
 * Organizations that the configuration names, by id or name. `all` is every one, and no word means the only one. ConfigurationError lists the names
 * if the choice is not clear.
 */
export function chooseOrganizations(all: readonly Organization[], wanted: readonly string[]): readonly Organization[] {
  return chooseSources(all, wanted, {
    ...ORGANIZATION_WORDS,
    find: (word) => all.filter(({ id, name }) => id === word || name === word),
  })
}

/** The words for an organization. */
export const ORGANIZATION_WORDS = {
  noun: 'organization',
  nameOf: ({ name }: Organization) => name,
  idOf: ({ id }: Organization) => id,
} as const

/** The sources of the product. A name that an earlier organization has is followed by the id. */
export function sourcesOf(chosen: readonly Organization[]): readonly SourceRow[] {
  return chosen.map(({ id, name }, index) => ({
    source_id: id,
    external_key: null,
    name: chosen.slice(0, index).some((earlier) => earlier.name === name) ? `${name} (${id})` : name,
  }))
}
