import type { CheckFinding } from '../../src/connector-kit/connector.ts'
import { ambiguousPlanNames, DEFAULT_DELIMITER } from './catalog/override.ts'
import type { KillbillSettings, Opened } from './session.ts'

/** What may make prices from the catalog wrong: prices that cannot be read, names with two readings, a catalog of another kind. */
export function catalogFindings(settings: KillbillSettings, opened: Opened): CheckFinding[] {
  return [...unreadableFindings(opened), ...nameFindings(settings, opened), ...aviateFindings(opened)]
}

function unreadableFindings({ catalogs }: Opened): CheckFinding[] {
  const versions = new Set(catalogs.flatMap((catalog) => catalog.versions))
  const prices = [...versions].flatMap(({ unreadable }) =>
    unreadable.map(
      ({ plan, phase, currency, text: written, reason }) => `${plan} ${phase} ${currency}: ${JSON.stringify(written)} ${reason}`,
    ),
  )
  if (prices.length === 0) return []
  const message = `prices that cannot be read, so their phases are unpriced: ${[...new Set(prices)].join('; ')}`
  return [{ name: 'catalog_prices', level: 'warning', message }]
}

function nameFindings({ override_delimiter }: KillbillSettings, { catalogs }: Opened): CheckFinding[] {
  const names = [...new Set(catalogs.flatMap(({ versions }) => ambiguousPlanNames(versions)))].sort()
  if (names.length === 0) return []
  const delimiter = override_delimiter ?? catalogs[0]?.delimiter ?? DEFAULT_DELIMITER
  const reading = delimiter === ':' ? 'plans of their own' : 'price overrides of the plans before the last hyphen'
  const chosen =
    override_delimiter === undefined
      ? `the rows show "${delimiter}", or nothing else; set connector.override_delimiter to what the server has`
      : 'as connector.override_delimiter says'
  return [
    {
      name: 'plan_names',
      level: override_delimiter === undefined ? 'warning' : 'ok',
      message: `read as ${reading} (${chosen}): ${names.join(', ')}`,
    },
  ]
}

/** Aviate, a plugin, has a catalog of its own that outranks the XML. Its tables are not read: only whether there are rows. */
function aviateFindings({ schema, prices_in_doubt }: Opened): CheckFinding[] {
  if (schema.aviate.length === 0) return []
  if (prices_in_doubt !== undefined) return [{ name: 'aviate', level: 'warning', message: prices_in_doubt }]
  const message = `the plugin Aviate has a catalog of its own (${schema.aviate.join(', ')}); prices come from connector.catalog`
  return [{ name: 'aviate', level: 'ok', message }]
}
