import type { Capability, CheckFinding, DatabaseConnector, SnapshotSource } from '../../../connector-kit/connector.ts'
import type { Evidence, EvidenceSubject } from '../../../connector-kit/evidence.ts'
import type { KeyType } from '../../../connector-kit/mirror-source.ts'
import { InternalError } from '../../../core/errors.ts'
import type { ConnectorSession } from '../../../ports/session.ts'
import { RELATION_CONTRACTS } from '../../../relations/contracts.ts'
import type { RelationContract } from '../../../relations/define-relation.ts'
import { PLAN } from '../../held/held-tables.ts'
import { inDatabase, type LakeDatabase, snapshotOf } from './database.ts'
import { ownKey } from './unique-keys.ts'
import { uniteSessions } from './united-session.ts'

/** A session over several databases, with that of each. */
interface SeveralSession extends ConnectorSession {
  readonly parts: readonly ConnectorSession[]
}

/**
 * The connector of several databases, which all have the same engine. It opens each of them. It supplies what a publication holds, because no statement
 * reads tables of several databases: other relations are absent.
 */
export function severalDatabases(databases: readonly LakeDatabase[]): DatabaseConnector {
  const [first] = databases
  if (first === undefined) throw new InternalError('no database is named')
  const { type, relationsDirectory, capabilities, billingPeriods, definitionSets, levelTables, mirror } = first.connector
  const keyType = mirror?.keyType ?? 'integer'
  const all = databases.map(({ connector }) => connector)
  const links = sameLinks(all)
  return {
    type,
    relationsDirectory,
    capabilities: publishedCapabilities(capabilities, mirror?.straight),
    ...(billingPeriods !== undefined && { billingPeriods }),
    ...(definitionSets !== undefined && { definitionSets }),
    ...(levelTables !== undefined && { levelTables }),
    ...(mirror !== undefined && { mirror }),
    ...(links !== undefined && { customerUrl: links }),
    servesAllSources: all.every(({ servesAllSources }) => servesAllSources === true),
    async open(snapshot, request) {
      const parts: ConnectorSession[] = []
      // A snapshot takes one statement at a time.
      for (const database of databases)
        parts.push(await inDatabase(database, () => database.connector.open(snapshotOf(snapshot, database), request)))
      const session: SeveralSession = {
        ...uniteSessions(databases, parts, keyType),
        parts,
      }
      return session
    },
    async check(snapshot, request) {
      const found: CheckFinding[] = []
      for (const database of databases)
        found.push(...named(database, (await database.connector.check?.(snapshotOf(snapshot, database), request)) ?? []))
      return found
    },
    async crossCheck(source, request) {
      const found: CheckFinding[] = []
      for (const database of databases)
        found.push(...named(database, (await database.connector.crossCheck?.(sourceOf(source, database), request)) ?? []))
      return found
    },
    ...(all.every(({ checkHistory }) => checkHistory !== undefined) && {
      async checkHistory(source: SnapshotSource, request: Parameters<DatabaseConnector['open']>[1]) {
        const reports = []
        for (const database of databases) {
          const report = await database.connector.checkHistory?.(sourceOf(source, database), request)
          const name = (fault: { readonly id: string; readonly message: string }) => ({
            ...fault,
            message: `${database.name}: ${fault.message}`,
          })
          if (report !== undefined) reports.push({ ...report, faults: report.faults.map(name) })
        }
        const remarks = reports.flatMap(({ remark }) => remark ?? [])
        return {
          count: reports.reduce((sum, { count }) => sum + count, 0),
          faults: reports.flatMap(({ faults }) => faults),
          ...(remarks.length > 0 && {
            remark: [...new Set(remarks)].join('; '),
          }),
        }
      },
    }),
    ...(all.every(({ evidence }) => evidence !== undefined) &&
      ({
        async evidence(snapshot, session, subjects) {
          const lists: Evidence[][] = subjects.map(() => [])
          for (const [index, database] of databases.entries()) {
            const part = partsOf(session)[index]
            const own = subjects.flatMap((subject, place) => {
              const asked = ownSubject(subject, database, keyType)
              return asked === undefined ? [] : [{ asked, place }]
            })
            if (part === undefined || own.length === 0) continue
            const asked = own.map((each) => each.asked)
            const found = await database.connector.evidence?.(snapshotOf(snapshot, database), part, asked)
            for (const [at, { place }] of own.entries()) lists[place]?.push(...(found?.[at] ?? []))
          }
          return lists
        },
      } satisfies Partial<DatabaseConnector>)),
  }
}

function partsOf(session: ConnectorSession): readonly ConnectorSession[] {
  if ('parts' in session) return (session as SeveralSession).parts
  throw new InternalError('the session is not of several databases')
}

/** A publication holds no other relations of a connector. */
function publishedCapabilities(
  capabilities: DatabaseConnector['capabilities'],
  straight: readonly string[] = [],
): Readonly<Record<string, Capability>> {
  const isHeld = ({ name, is_held }: RelationContract) => is_held === true && !straight.includes(name)
  const held = new Set(RELATION_CONTRACTS.filter(isHeld).map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(capabilities).map(([name, capability]) => {
      const [relation = name] = name.split('.')
      const contract = RELATION_CONTRACTS.find((each) => each.name === relation)
      const isLost = contract !== undefined && relation !== PLAN && !held.has(relation)
      return [name, isLost ? 'absent' : capability]
    }),
  )
}

const SAMPLE_ID = '00000000-0000-0000-0000-000000000000'

/** An id shows no database, so links are the same for all or there are none. */
function sameLinks(connectors: readonly DatabaseConnector[]): DatabaseConnector['customerUrl'] | undefined {
  const [links, ...others] = connectors.map(({ customerUrl }) => customerUrl)
  const isSame = others.every((other) => other?.(SAMPLE_ID) === links?.(SAMPLE_ID))
  return isSame ? links : undefined
}

function named({ name }: LakeDatabase, findings: readonly CheckFinding[]): readonly CheckFinding[] {
  return findings.map((finding) => ({
    ...finding,
    message: `${name}: ${finding.message}`,
    ...(finding.logged !== undefined && {
      logged: `${name}: ${finding.logged}`,
    }),
  }))
}

function sourceOf(source: SnapshotSource, database: LakeDatabase): SnapshotSource {
  return {
    withSnapshot: (work, options) => source.withSnapshot((snapshot) => work(snapshotOf(snapshot, database)), options),
  }
}

/** The subject with the keys of its database. Undefined: it belongs to another one. */
function ownSubject(subject: EvidenceSubject, database: LakeDatabase, keyType: KeyType): EvidenceSubject | undefined {
  const { document_id, subscription_id, usage } = subject
  const own = usage.flatMap((charge) => {
    const charge_id = ownKey(charge.charge_id, database, keyType)
    return charge_id === undefined ? [] : [{ ...charge, charge_id }]
  })
  // The id of an invoice is the same everywhere. A charge has a key.
  if (document_id === null || subscription_id === null) return { ...subject, usage: own }
  const charge = ownKey(document_id, database, keyType)
  return charge === undefined ? undefined : { ...subject, document_id: charge, usage: own }
}
