import { randomUUID } from 'node:crypto'
import type { ConnectorSession, InlineRelation, Snapshot } from '../../../src/connector-kit/connector.ts'
import type { Look, MirrorSource, RefillCause } from '../../../src/connector-kit/mirror-source.ts'
import { createQueryRunner } from '../../../src/connector-kit/query-runner.ts'
import { baseCurrency, type Definitions } from '../../../src/core/definitions.ts'
import { InternalError } from '../../../src/core/errors.ts'
import { keepLast } from '../../../src/core/keep-last.ts'
import { keepNumberedRelations } from '../catalog/kept-relations.ts'
import { numberPlans } from '../catalog/price-rows.ts'
import { DIGEST_LENGTH, digestOf } from '../catalog/text-digest.ts'
import { createOpener, createSession, type InUse, type KillbillSettings, type Opened, readSchemaFor } from '../session.ts'
import { catalogAccounts } from './catalog-accounts.ts'
import { type CatalogDigests, catalogChanges, catalogDigests, unpacked } from './catalog-changes.ts'
import { firstLook, lookAgain } from './change-log.ts'
import { type Clock, PROCESS_CLOCK, type Reading, readClock } from './clock.ts'
import { createRatesReader, type EngineRates, NO_RATES } from './engine-rates.ts'
import { inUseBefore, inUseOf, stillInUse, storedInUse } from './in-use.ts'
import { type Marks, marksOf, readMarks } from './marks.ts'
import { type ServerState, tellsCluster } from './server-state.ts'
import { settle } from './settling.ts'

/** Most servers behind one address. */
const MOST_SERVERS = 32
/** Marks whose opened engine is kept. The caller may go on from the newest ones, or from those before them. */
const MOST_KEPT = 4

/** The causes of a refill. */
const CAUSES = {
  rights: { reason: 'role_rights', text: 'the role has other rights to facts about its server' },
  lost: { reason: 'rows_gone', text: 'earlier rows of the billing database are gone or are others' },
  place: { reason: 'database_replaced', text: 'the billing database or its table accounts has been replaced' },
  facts: { reason: 'settings', text: 'the schema, the tenants, the settings or the definitions have changed' },
} as const satisfies Readonly<Record<string, RefillCause>>

type Request = Parameters<MirrorSource['look']>[1]
type Relations = readonly InlineRelation[]

/** Plan numbers that go on, and the relations that have them. */
interface Numbering {
  readonly plans: ReturnType<typeof numberPlans>
  readonly relationsOf: ReturnType<typeof keepNumberedRelations>
}

/** The engine as a look has opened it. */
interface Engine {
  readonly opened: Opened
  readonly relations: Relations
  readonly digests: CatalogDigests
  readonly numbering: Numbering
  /** The definitions that it was opened with. */
  readonly definitions: string
  /** False if it was opened in a later snapshot than that of the marks it is kept for. */
  readonly isExact: boolean
}

interface Seen extends Engine {
  readonly session: ConnectorSession
  readonly facts: string
  readonly session_digest: string
  readonly in_use: Marks['in_use']
}

/**
 * Finds the changes of a Kill Bill database in its history tables (KB 1.5), its catalogs and its rates. Only the marks decide what has
 * changed. The engine is not opened again for marks of this process while the logs stand still, except for catalogs from files and addresses.
 */
export function createLook(settings: KillbillSettings, clock: Clock = PROCESS_CLOCK): MirrorSource['look'] {
  const open = createOpener(settings)
  const readRates = createRatesReader()
  const kept = keepLast<Engine>(MOST_KEPT)
  const keep = (id: string, engine: Engine) => kept.keep(id, Promise.resolve(engine))
  let last: Numbering | undefined

  /** A numbering that continues the one of the marks. */
  const numbered = (marks: Marks | undefined): Numbering => {
    const wanted = marks?.plans ?? ''
    if (last === undefined || !last.plans.digests().join('').startsWith(wanted)) {
      const plans = numberPlans(unpacked(wanted, DIGEST_LENGTH))
      last = { plans, relationsOf: keepNumberedRelations(plans) }
    }
    return last
  }

  const openEngine = async (snapshot: Snapshot, request: Request, numbering: Numbering, inUse?: InUse): Promise<Engine> => {
    const opened = await open(snapshot, request.definitions, inUse)
    const relations = await numbering.relationsOf(opened.catalogs, opened.currencies)
    const digests = await catalogDigests(relations)
    return { opened, relations, digests, numbering, definitions: JSON.stringify(request.definitions), isExact: true }
  }

  const see = async (snapshot: Snapshot, request: Request, engine: Engine): Promise<Seen> => {
    const { opened, relations } = engine
    const session = createSession(opened, snapshot, request, relations)
    const base = baseCurrency(request.definitions, opened.currencies)
    const isConverted = opened.schema.has_analytics_rates && opened.currencies.some((currency) => currency !== base)
    const rates = isConverted ? await readRates(snapshot, base) : NO_RATES
    return {
      ...engine,
      session: detached(session, base, rates),
      facts: factsOf(opened, session, request.definitions),
      session_digest: sessionDigest(session, base, rates),
      in_use: engine.isExact ? storedInUse(opened.inUse, inUseOf(settings, request.definitions)) : null,
    }
  }

  const refill = async (snapshot: Snapshot, read: Reading, seen: Seen, marks?: Marks, cause?: RefillCause): Promise<Look> => {
    const { server, marks: logs } = await firstLook(createQueryRunner(snapshot), snapshot.dialect.name)
    const state = { server, ...settle(logs, undefined, server, read) }
    const now = newMarks(snapshot, seen, state, marks)
    keep(now.id, seen)
    return { session: seen.session, extent: 'refill', cause, customers: [], marks: now }
  }

  return async (snapshot, request, given) => {
    const read = readClock(clock)
    const before = readMarks(given)
    const dialect = snapshot.dialect.name
    const known = before === undefined ? undefined : await kept.get(before.id)
    const definitions = JSON.stringify(request.definitions)
    const reopen = (inUse?: InUse) => openEngine(snapshot, request, known?.numbering ?? numbered(before), inUse)
    const stored = known === undefined ? inUseBefore(before?.in_use, inUseOf(settings, request.definitions)) : undefined
    // The schema comes first, because the address may lead to a database without these tables.
    if (stored !== undefined) await readSchemaFor(settings, createQueryRunner(snapshot), dialect)
    const reopened = known === undefined && stored === undefined ? await reopen() : undefined
    if (before === undefined || before.dialect !== dialect) {
      return refill(snapshot, read, await see(snapshot, request, reopened ?? (await reopen())))
    }
    const run = createQueryRunner(snapshot)
    if (known === undefined && (await tellsCluster(run, dialect)) !== before.logs.tells_cluster) {
      return refill(snapshot, read, await see(snapshot, request, reopened ?? (await reopen())), before, CAUSES.rights)
    }
    const looked = await lookAgain(run, before.logs, { dialect, isStranger: known === undefined })
    const isSettingKept = known?.definitions === definitions && settings.catalog.length === 0
    const isSame = looked.kind === 'none' && isSettingKept
    const isSamePlace = before.servers[looked.server.server] === looked.server.storage
    const earlier = known?.isExact === true && known.definitions === definitions ? known.opened.inUse : stored
    const inUse = earlier === undefined || !isSamePlace || looked.kind === 'lost' ? {} : stillInUse(earlier, looked.moved)
    const engine = reopened ?? (isSame ? known : undefined) ?? (await reopen(inUse))
    const seen = await see(snapshot, request, engine)
    if (looked.kind === 'lost') return refill(snapshot, read, seen, before, CAUSES.lost)
    if (!isSamePlace) return refill(snapshot, read, seen, before, CAUSES.place)
    if (seen.facts !== before.facts) return refill(snapshot, read, seen, before, CAUSES.facts)
    const isSameCatalog = engine.digests.marks.all === before.catalog.all
    const changes = catalogChanges(before.catalog, engine.digests, known?.digests)
    const tenants = engine.opened.tenants.map(({ record_id }) => record_id)
    const priced = isSameCatalog ? [] : await catalogAccounts(run, tenants, changes)
    const isSameSession = seen.session_digest === before.session && isSameCatalog
    const settled = settle(looked.marks, before.settling, looked.server, read)
    const isQuiet = looked.kind === 'none' && isSameSession
    // The marks stay the same until there is something to remember, so that the engine need not be opened for others.
    const now = isQuiet && !settled.isMoved ? before : newMarks(snapshot, seen, { server: looked.server, ...settled }, before)
    if (known !== undefined || isSameCatalog) keep(before.id, known ?? { ...engine, isExact: false })
    keep(now.id, engine)
    const customers = [...new Set([...looked.accounts, ...priced])].map(String)
    return { session: seen.session, extent: isQuiet ? 'none' : 'customers', customers, marks: now }
  }
}

type State = { readonly server: ServerState } & Pick<ReturnType<typeof settle>, 'marks' | 'settling'>

function newMarks(snapshot: Snapshot, seen: Seen, { server, marks, settling }: State, before: Marks | undefined): Marks {
  const servers = Object.entries(before?.servers ?? {}).filter(([name]) => name !== server.server)
  return marksOf({
    id: randomUUID(),
    dialect: snapshot.dialect.name,
    logs: marks,
    settling,
    servers: Object.fromEntries([...servers.slice(1 - MOST_SERVERS), [server.server, server.storage]]),
    facts: seen.facts,
    session: seen.session_digest,
    catalog: seen.digests.marks,
    plans: seen.numbering.plans.digests().join(''),
    in_use: seen.in_use,
  })
}

function factsOf({ schema, tenants }: Opened, session: ConnectorSession, { test_accounts }: Definitions): string {
  const { now: _, ...params } = session.params
  const ids = tenants.map(({ record_id, id }) => [record_id, id])
  return digestOf(JSON.stringify([schema, ids, params, test_accounts, [...session.aliases]]))
}

function sessionDigest(session: ConnectorSession, base: string, { digest }: EngineRates): string {
  const { sources, currencies, rates_withheld = null, prices_in_doubt = null, zones_unknown = null } = session
  return digestOf(JSON.stringify([sources, currencies, rates_withheld, prices_in_doubt, zones_unknown, base, digest]))
}

/** The session with the engine's own rates already read. */
function detached(session: ConnectorSession, base: string, { rates }: EngineRates): ConnectorSession {
  return {
    ...session,
    rates: async (wanted) => {
      if (wanted !== base) throw new InternalError(`rates into ${wanted} were not read`)
      return rates
    },
  }
}
