import { createHash } from 'node:crypto'
import type { SqlCatalog } from '../../compiler/catalog.ts'
import type { BoundValue } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import { completeSession } from '../../connector-kit/complete-session.ts'
import type { ConnectorSession, DatabaseConnector, SourceRow } from '../../connector-kit/connector.ts'
import { type Calendar, calendarOf } from '../../core/calendar.ts'
import type { FxRate } from '../../core/currency.ts'
import { baseCurrency, constantRateDay, type Definitions } from '../../core/definitions.ts'
import { dayOf, sqlNow } from '../../core/periods.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { CacheReading } from '../../ports/read-through.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import type { Audience } from '../../query/audience.ts'
import { preferStored, ratesByDay } from '../../query/fx-rates.ts'
import type { QueryRequest } from '../../query/request.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { EngineDependencies } from '../dependencies.ts'
import { type KnownAttributes, knownAttributes } from './attributes/known-attributes.ts'
import { type AudienceRelations, audienceRelations, groupingRelations, type ReadValues } from './audience.ts'

/** Definitions with the base currency resolved. */
export type ResolvedDefinitions = Definitions & { readonly base_currency: string }

/** The session of one request: the connector's session, the resolved definitions, and exchange rates if the request needs them. */
export interface RequestSession {
  readonly snapshot: Snapshot
  /** The templates for the snapshot's tables: those of the billing database, or of the cache. */
  readonly catalog: SqlCatalog
  readonly connector: ConnectorSession
  /** Now on the clock of the calendar (D84). */
  readonly now: Date
  readonly calendar: Calendar
  readonly definitions: ResolvedDefinitions
  /**
   * Relation `fx_rate`, with the last rate up to the instant `until`, by default now. Empty unless `isNeeded`, so that the store is opened only for rates
   * (http-api.md 13).
   */
  rates(isNeeded: boolean, until?: Date): Promise<InlineRelation>
  /** The workspace in the store that the request sees. */
  readonly workspace: Workspace
  /** The attributes that conditions may name. */
  readonly attributes: KnownAttributes
  /** The values of a known attribute, read once. */
  attributeValues: ReadValues
  /** Relations of an audience, made once for all statements. */
  audience(audience: Audience): Promise<AudienceRelations>
  /**
   * Relations of the attributes in the request's dimensions, made once for all statements. Undefined if no dimension is an
   * attribute.
   */
  grouping(request: Pick<QueryRequest, 'dimensions' | 'audience'>): Promise<AudienceRelations | undefined>
  /** Parameters for the relations, without the window. */
  readonly params: Readonly<Record<string, BoundValue>>
}

/** Opens a request in its snapshot. AppError from the connector if the engine's database is not usable. */
export async function openSession(
  deps: EngineDependencies,
  snapshot: Snapshot,
  now: Date,
  definitions: Definitions = deps.definitions,
): Promise<RequestSession> {
  const connector = await deps.connector.open(snapshot, { now, definitions })
  return sessionOver(deps, { session: connector, catalog: deps.catalog, snapshot }, now, definitions)
}

/** The session of a request over an open connector session. */
export function sessionOver(
  deps: EngineDependencies,
  opened: Pick<CacheReading, 'session' | 'snapshot'> & { readonly catalog: SqlCatalog },
  now: Date,
  definitions: Definitions,
): RequestSession {
  const { catalog, snapshot } = opened
  const connector = completeSession(opened.session, deps.connector, definitions)
  const base = baseCurrency(definitions, connector.currencies)
  let loaded: Promise<readonly FxRate[]> | undefined
  const rated = new Map<string, InlineRelation>()
  const calendar = calendarOf(definitions.time_zone, now)
  const rate_day = constantRateDay(definitions, calendar)
  const instants = { now: sqlNow(now), until: sqlNow(now), today: dayOf(now), rate_day }
  const params = { ...connector.params, ...instants, base_currency: base }
  const workspace = workspaceOf(deps, connector.sources)
  const attributes = knownAttributes(deps, workspace, { deps, catalog, connector, snapshot, params })
  const audiences = new Map<Audience, Promise<AudienceRelations>>()
  const groupings = new Map<object, Promise<AudienceRelations | undefined>>()
  const read = new Map<string, ReturnType<ReadValues>>()
  const values: ReadValues = (use) => {
    const name = JSON.stringify(use)
    const known = read.get(name) ?? attributes.relation(use)
    read.set(name, known)
    return known
  }
  const context = {
    connector: deps.connector.type,
    allowUnpriced: definitions.allow_unpriced,
    hasManySources: connector.sources.length > 1,
    afterNow: pointAt(dayOf(calendar.clockNow), calendar.clockNow).before,
  }
  return {
    snapshot,
    catalog,
    connector,
    now: calendar.clockNow,
    calendar,
    definitions: { ...definitions, base_currency: base },
    rates: async (isNeeded, until = now) => {
      const known = [...connector.currencies, ...(connector.other_currencies ?? [])]
      const currencies = isNeeded ? known.filter((currency) => currency !== base) : []
      const wanted = { base, currencies, through: now, until }
      if (currencies.length === 0) return ratesByDay([], wanted)
      loaded ??= loadRates(deps, connector, base, currencies)
      const day = dayOf(until)
      const relation = rated.get(day) ?? ratesByDay(await loaded, wanted)
      rated.set(day, relation)
      return relation
    },
    workspace,
    attributes,
    attributeValues: values,
    audience: (audience) => {
      const known = audiences.get(audience) ?? audienceRelations(audience, context, values)
      audiences.set(audience, known)
      return known
    },
    grouping: (request) => {
      const known = groupings.get(request.dimensions) ?? groupingRelations(request, context, values)
      groupings.set(request.dimensions, known)
      return known
    },
    params,
  }
}

async function loadRates(
  deps: EngineDependencies,
  connector: ConnectorSession,
  base: string,
  currencies: readonly string[],
): Promise<readonly FxRate[]> {
  const own = await connector.rates(base)
  const stored = deps.store?.enabled === true ? await deps.store.fxRates.ratesInto(base, currencies) : []
  return preferStored(stored, own)
}

/** Longest source id that appears unchanged in a workspace name. */
const ID_LENGTH = 40

/** The workspace of a service with these sources. Its name is configured or derived from the sources. */
export function workspaceOf(
  { workspace, connector }: Pick<EngineDependencies, 'workspace' | 'connector'>,
  sources: readonly SourceRow[],
): Workspace {
  const source_ids = sources.map(({ source_id }) => source_id)
  return { name: workspace ?? derivedName(connector, source_ids), source_ids }
}

// If the service serves all sources, its workspace is named after the oldest source. A new source then does not change the name.
function derivedName({ type, servesAllSources }: DatabaseConnector, ids: readonly string[]): string {
  return servesAllSources === true ? `${type}:all:${nameOf(ids.slice(0, 1))}` : `${type}:${nameOf([...ids].sort())}`
}

function nameOf(ids: readonly string[]): string {
  const [only = ''] = ids
  if (ids.length <= 1 && only.length <= ID_LENGTH) return only
  return createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, ID_LENGTH)
}

/** First 12 hex digits of the SHA-256 of the resolved definitions, keys sorted. */
export function hashDefinitions(definitions: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(sorted)))
    .digest('hex')
    .slice(0, 12)
}
