import type { SourceRow } from '../../src/connector-kit/connector.ts'
import { type QueryRunner, sql, text } from '../../src/connector-kit/query-runner.ts'
import { ConfigurationError } from '../../src/core/errors.ts'

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

/** True if organizations that are added later are served too. */
export function isEveryOrganization(wanted: readonly string[]): boolean {
  return wanted.length === 1 && wanted[0] === 'all'
}

/**
 * Organizations that the configuration names, by id or name. `all` is every one, and no word means the only one. ConfigurationError lists the names
 * if the choice is not clear.
 */
export function chooseOrganizations(all: readonly Organization[], wanted: readonly string[]): readonly Organization[] {
  if (wanted.length === 0) {
    if (all.length === 1) return all
    throw new ConfigurationError([
      all.length === 0
        ? 'the engine has no organization yet'
        : `connector.organization must name one of the organizations ${labels(all)}, a list of them, or "all"`,
    ])
  }
  if (isEveryOrganization(wanted)) return all
  const found = wanted.map((word) => ({ word, named: all.filter(({ id, name }) => id === word || name === word) }))
  const problems = found.flatMap(({ word, named }) => {
    if (named.length === 1) return []
    const place = `connector.organization: ${JSON.stringify(word)}`
    return named.length === 0
      ? [`${place} is no organization; there are ${labels(all)}`]
      : [`${place} is the name of several organizations; use an id: ${named.map(({ id }) => id).join(', ')}`]
  })
  if (problems.length > 0) throw new ConfigurationError(problems)
  return [...new Set(found.flatMap(({ named }) => named))]
}

function labels(all: readonly Organization[]): string {
  return all.map(({ name }) => JSON.stringify(name)).join(', ')
}

/** The sources of the product. A name that an earlier organization has is followed by the id. */
export function sourcesOf(chosen: readonly Organization[]): readonly SourceRow[] {
  return chosen.map(({ id, name }, index) => ({
    source_id: id,
    external_key: null,
    name: chosen.slice(0, index).some((earlier) => earlier.name === name) ? `${name} (${id})` : name,
  }))
}
