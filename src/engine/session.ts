import type { SqlCatalog } from '../compiler/catalog.ts'
import type { BoundValue } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { ConnectorSession } from '../connector-kit/connector.ts'
import { baseCurrency, type Definitions } from '../core/definitions.ts'
import { dayOf } from '../core/periods.ts'
import type { Audience } from '../query/audience.ts'
import { preferStored, ratesByDay } from '../query/fx-rates.ts'
import { pointAt } from '../query/timeframe.ts'
import { type AudienceRelations, audienceRelations } from './audience.ts'
import type { EngineDependencies } from './dependencies.ts'
import { type KnownAttributes, knownAttributes } from './known-attributes.ts'
import type { Snapshot } from './ports.ts'
import type { CacheReading } from './read-through.ts'

/** Definitions with nothing left open. */
export type ResolvedDefinitions = Definitions & { readonly base_currency: string }

/** What one request knows: the connector's session, the definitions resolved, rates when somebody needs them. */
export interface RequestSession {
  readonly snapshot: Snapshot
  /** The templates of what the snapshot is of: the billing database, or the cache. */
  readonly catalog: SqlCatalog
  readonly connector: ConnectorSession
  readonly now: Date
  readonly definitions: ResolvedDefinitions
  /** Relation `fx_rate`; empty unless `isNeeded`, so that the store is opened for nothing else (http-api.md 13). */
  rates(isNeeded: boolean): Promise<InlineRelation>
  /** The attributes that conditions may name. */
  readonly attributes: KnownAttributes
  /** Relations of an audience, made once however many statements ask. */
  audience(audience: Audience): Promise<AudienceRelations>
  /** Parameters for the relations, without the window. */
  readonly params: Readonly<Record<string, BoundValue>>
}

/** Opens a request in its snapshot. AppError from the connector when the engine's database is not usable. */
export async function openSession(deps: EngineDependencies, snapshot: Snapshot, now: Date): Promise<RequestSession> {
  const connector = await deps.connector.open(snapshot, { now, definitions: deps.definitions })
  return sessionOver(deps, { session: connector, catalog: deps.catalog, snapshot }, now)
}

/** The session of a request over what was opened for it. */
export function sessionOver(deps: EngineDependencies, opened: CacheReading, now: Date): RequestSession {
  const { session: connector, catalog, snapshot } = opened
  const base = baseCurrency(deps.definitions, connector.currencies)
  let loaded: Promise<InlineRelation> | undefined
  const params = { ...connector.params, now, base_currency: base }
  const attributes = knownAttributes(deps, connector.sources, { deps, catalog, connector, snapshot, params })
  const audiences = new Map<Audience, Promise<AudienceRelations>>()
  const context = {
    connector: deps.connector.type,
    allowUnpriced: deps.definitions.allow_unpriced,
    hasManySources: connector.sources.length > 1,
    afterNow: pointAt(dayOf(now), now).before,
  }
  return {
    snapshot,
    catalog,
    connector,
    now,
    definitions: { ...deps.definitions, base_currency: base },
    rates: (isNeeded) => {
      if (!isNeeded) return Promise.resolve(ratesByDay([], { base, currencies: [], through: now }))
      loaded ??= loadRates(deps, connector, base, now)
      return loaded
    },
    attributes,
    audience: (audience) => {
      const known = audiences.get(audience) ?? audienceRelations(audience, context, attributes)
      audiences.set(audience, known)
      return known
    },
    params,
  }
}

async function loadRates(
  deps: EngineDependencies,
  connector: ConnectorSession,
  base: string,
  now: Date,
): Promise<InlineRelation> {
  const foreign = connector.currencies.filter((currency) => currency !== base)
  const wanted = { base, currencies: foreign, through: now }
  if (foreign.length === 0) return ratesByDay([], wanted)
  const own = await connector.rates(base)
  const stored = deps.store?.enabled === true ? await deps.store.fxRates.ratesInto(base) : []
  return ratesByDay(preferStored(stored, own), wanted)
}
