import type { TargetName } from '../databases/target-places.ts'

// biome-ignore lint/style/noProcessEnv: a longer run by hand, no product configuration
const { PROPERTY_RUNS = '' } = process.env

/** How often as much as usual is drawn. */
export const PROPERTY_FACTOR = PROPERTY_RUNS === '' ? 1 : Number(PROPERTY_RUNS)

const ENGINES: readonly TargetName[] = ['postgres', 'pglite', 'mariadb', 'mysql']

/** Seed of what is drawn for a database: every engine is asked something else, so that together they see more. */
export function seedFor(target: { readonly name: TargetName }, seed: number): number {
  const engine = ENGINES.indexOf(target.name)
  // PGlite stands in for PostgreSQL.
  return seed + 10_000 * Math.max(0, engine - 1)
}
