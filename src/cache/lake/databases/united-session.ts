import type { BoundValue } from '../../../compiler/fragment.ts'
import type { InlineRelation } from '../../../compiler/inline.ts'
import type { KeyType } from '../../../connector-kit/mirror-source.ts'
import type { FxRate } from '../../../core/currency.ts'
import { ConfigurationError } from '../../../core/errors.ts'
import type { ConnectorSession, SourceRow } from '../../../ports/session.ts'
import { RELATION_CONTRACTS } from '../../../relations/contracts.ts'
import type { LakeDatabase } from './database.ts'
import { uniqueRows } from './unique-keys.ts'

/** The session over the publication of several databases. ConfigurationError if two of them have the same tenant. */
export function uniteSessions(
  databases: readonly LakeDatabase[],
  parts: readonly ConnectorSession[],
  keyType: KeyType,
): ConnectorSession {
  const inDoubt = texts(databases, parts, ({ prices_in_doubt }) => prices_in_doubt)
  const withheld = texts(databases, parts, ({ rates_withheld }) => rates_withheld)
  return {
    sources: uniteSources(databases, parts),
    params: uniteParams(parts.map(({ params }) => params)),
    paramsFor: (reads, readersOf) => uniteParams(parts.map((part) => part.paramsFor?.(reads, readersOf) ?? {})),
    inline: uniteInline(databases, parts, keyType),
    // Variants replace relations of a connector. A publication holds the rows that they made.
    aliases: new Map(),
    currencies: [...new Set(parts.flatMap(({ currencies }) => currencies))].sort(),
    ...(parts.every(({ one_currency_each }) => one_currency_each === true) && {
      one_currency_each: true,
    }),
    rates: async (base) => uniteRates(await inTurn(parts, (part) => part.rates(base))),
    rates_withheld: withheld,
    prices_in_doubt: inDoubt,
    inferred_parts: uniteInferred(parts),
    incomplete: uniteIncomplete(databases, parts),
    incomplete_relations: parts.flatMap(({ incomplete_relations = [] }) => incomplete_relations),
    zones_unknown: uniteZones(parts),
    notices_unknown: uniteNotices(parts),
    relations_unknown: parts.flatMap(({ relations_unknown = [] }) => relations_unknown),
    priceFlaw: (plan, currency) => parts.map((part) => part.priceFlaw?.(plan, currency)).find((flaw) => flaw !== undefined),
  }
}

/** Tenants with names that no other tenant has. A name that several databases have gets that of its database in front: `eu/acme`. */
export function uniteSources(
  databases: readonly Pick<LakeDatabase, 'name'>[],
  parts: readonly Pick<ConnectorSession, 'sources'>[],
): readonly SourceRow[] {
  const all = parts.flatMap(({ sources }, index) =>
    sources.map((source) => ({
      source,
      longer: `${databases[index]?.name}/${source.name}`,
      database: databases[index]?.name,
    })),
  )
  const owners = new Map<string, string | undefined>()
  for (const { source, database } of all) {
    const other = owners.get(source.source_id)
    if (owners.has(source.source_id))
      throw new ConfigurationError([
        `lake.databases: "${other}" and "${database}" have the same tenant ${source.name} (${source.source_id}); each tenant must be in one of them`,
      ])
    owners.set(source.source_id, database)
  }
  const isAlone = (name: string) => all.filter(({ source }) => source.name === name).length === 1
  const short = all.map(({ source, longer }) => ({
    ...source,
    name: isAlone(source.name) ? source.name : longer,
  }))
  if (new Set(short.map(({ name }) => name)).size === all.length) return short
  return all.map(({ source, longer }) => ({ ...source, name: longer }))
}

/**
 * The parameters of all databases. A switch is on if one of them needs it. Another value counts only if all have the same one: only their own relations read
 * it, and a publication holds the rows of those.
 */
function uniteParams(all: readonly Readonly<Record<string, BoundValue>>[]): Readonly<Record<string, BoundValue>> {
  const united: Record<string, BoundValue> = {}
  for (const name of new Set(all.flatMap((params) => Object.keys(params)))) {
    const values = all.map((params) => params[name])
    const [first] = values
    if (values.every((each) => typeof each === 'boolean' || each === undefined)) united[name] = values.includes(true)
    else if (first !== undefined && new Set(values.map((each) => JSON.stringify(each))).size === 1) united[name] = first
  }
  return united
}

/** The relations that readers get from a session, such as the plans. Those of a connector's own files are no longer read. */
function uniteInline(
  databases: readonly LakeDatabase[],
  parts: readonly ConnectorSession[],
  keyType: KeyType,
): ReadonlyMap<string, InlineRelation> {
  const united = new Map<string, InlineRelation>()
  for (const [index, { inline }] of parts.entries())
    for (const [name, relation] of inline) {
      const database = databases[index]
      if (database === undefined || !RELATION_CONTRACTS.some((contract) => contract.name === name)) continue
      const rows = uniqueRows(relation, database, keyType)
      united.set(name, {
        ...relation,
        rows: [...(united.get(name)?.rows ?? []), ...rows],
      })
    }
  return united
}

async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = []
  for (const one of all) done.push(await work(one))
  return done
}

/** The rates of all databases. Of two for one day, the later one of a database counts, and that of the first database. */
function uniteRates(all: readonly (readonly FxRate[])[]): readonly FxRate[] {
  const byDay = new Map<string, FxRate>()
  // A corrected rate comes last in its database. So the last database is taken first, and each further rate replaces one.
  for (const rate of all.toReversed().flat()) byDay.set(JSON.stringify([rate.from, rate.to, rate.date]), rate)
  return [...byDay.values()]
}

function texts(
  databases: readonly LakeDatabase[],
  parts: readonly ConnectorSession[],
  textOf: (part: ConnectorSession) => string | undefined,
): string | undefined {
  const found = parts.flatMap((part, index) => {
    const text = textOf(part)
    return text === undefined ? [] : [`${databases[index]?.name}: ${text}`]
  })
  return found.length === 0 ? undefined : found.join(' ')
}

/** Each part once, with the sum of its numbers. */
function uniteInferred(parts: readonly ConnectorSession[]): ConnectorSession['inferred_parts'] {
  const counts = new Map<string, number | undefined>()
  for (const { name, count } of parts.flatMap(({ inferred_parts = [] }) => inferred_parts))
    counts.set(name, count === undefined ? counts.get(name) : count + (counts.get(name) ?? 0))
  if (counts.size === 0) return undefined
  return [...counts].map(([name, count]) => ({ name, ...(count !== undefined && { count }) }))
}

function uniteIncomplete(databases: readonly LakeDatabase[], parts: readonly ConnectorSession[]): ConnectorSession['incomplete'] {
  const message = texts(databases, parts, ({ incomplete }) => incomplete?.message)
  if (message === undefined) return undefined
  return { message, count: parts.reduce((total, { incomplete }) => total + (incomplete?.count ?? 0), 0) }
}

function uniteZones(parts: readonly ConnectorSession[]): ConnectorSession['zones_unknown'] {
  const found = parts.flatMap(({ zones_unknown }) => zones_unknown ?? [])
  if (found.length === 0) return undefined
  return {
    zones: distinct(found.flatMap(({ zones }) => zones)),
    reads: distinct(found.flatMap(({ reads }) => reads)),
  }
}

function uniteNotices(parts: readonly ConnectorSession[]): ConnectorSession['notices_unknown'] {
  const found = parts.flatMap(({ notices_unknown }) => notices_unknown ?? [])
  if (found.length === 0) return undefined
  return {
    kinds: distinct(found.flatMap(({ kinds }) => kinds)),
    reason: distinct(found.map(({ reason }) => reason)).join(' '),
  }
}

function distinct(all: readonly string[]): readonly string[] {
  return [...new Set(all)]
}
