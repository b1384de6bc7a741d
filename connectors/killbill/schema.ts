import { unfitTypes } from '../../src/connector-kit/column-casts.ts'
import { unfitColumns } from '../../src/connector-kit/column-types.ts'
import type { ConnectorSession, Snapshot } from '../../src/connector-kit/connector.ts'
import { deniedText, grantsRemedy, readPlace, restrictedText, tablesOf } from '../../src/connector-kit/grants.ts'
import { createQueryRunner, type QueryRunner } from '../../src/connector-kit/query-runner.ts'
import { findHidden, readSight, type Sight } from '../../src/connector-kit/rights.ts'
import { AppError } from '../../src/core/errors.ts'
import { AVIATE_TABLES, usedAviateTables } from './catalog/aviate.ts'
import { kindOfColumn } from './column-kinds.ts'
import { unknownAttempts, unknownBillings, unknownLedger, unknownNotices } from './optional-columns.ts'
import { isBefore022, judgeSchema, PROBED_TABLES, QUANTITY, type SchemaProbe, withheldRates } from './required-schema.ts'

/** The engine's schema. The role may read every part that the connector needs. */
export interface EngineSchema extends SchemaProbe {
  /** Views with the name of a table. Rows that they leave out are missing in every answer. */
  readonly views: readonly string[]
  /** The engine's own exchange rates that exist but may not be read. Empty if all are readable, or if the server does not show it. */
  readonly withheld_rates: readonly string[]
  readonly notices_unknown: ConnectorSession['notices_unknown']
  /** Why charges to come, and the ledger, are not known, in sentences. Undefined: they are. */
  readonly billings_unknown: string | undefined
  readonly ledger_unknown: string | undefined
  /** Why attempts to collect invoices are not known. */
  readonly attempts_unknown: string | undefined
  /** Tables of Aviate's catalog that hold rows, or may hold rows. */
  readonly aviate: readonly string[]
}

/** The word of the connector in messages and labels. */
const CONNECTOR = 'killbill'
/** Most names in one message. */
const MOST_NAMED = 10

/** The role's rights to some tables. */
export function readRights(snapshot: Snapshot, tables: readonly string[]): Promise<Sight> {
  return readSight(createQueryRunner(snapshot), { connector: CONNECTOR, dialect: snapshot.dialect.name, tables })
}

/** The unreadable parts, by the reason that the server gives. */
interface Gaps {
  readonly absent: readonly string[]
  readonly denied: readonly string[]
  /** Missing or not granted. MySQL does not distinguish the two. */
  readonly hidden: readonly string[]
  readonly restricted: readonly string[]
}

/**
 * Reads the engine's schema. `unneeded` tables may be missing. AppError `unsupported_by_connector` names missing parts, parts that the role
 * may not read, and tables whose policies hide rows. A column that only some versions have counts as absent only if that is certain.
 */
export async function readSchema(run: QueryRunner, dialect: string, unneeded: readonly string[] = []): Promise<EngineSchema> {
  const sight = await readSight(run, { connector: CONNECTOR, dialect, tables: PROBED_TABLES, prefix: AVIATE_TABLES })
  const schema = judgeSchema(sight.columns, unneeded)
  const isUnneeded = (table: string) => unneeded.includes(table)
  if (schema.is_absent && sight.denied.size === 0) throw noEngine()
  if (sight.loose.length > 0) throw looseTexts(sight.loose)
  const wrong = unfitColumns(sight.types, kindOfColumn).filter(({ name }) => !isUnneeded(name.slice(0, name.indexOf('.'))))
  if (wrong.length > 0) throw unfitTypes({ connector: CONNECTOR, name: 'Kill Bill', kindOf: kindOfColumn }, wrong, sight.types)
  const gaps = await findGaps(run, dialect, schema, sight)
  const restricted = gaps.restricted.filter((table) => !isUnneeded(table))
  if ([gaps.absent, gaps.denied, gaps.hidden, restricted].some((names) => names.length > 0))
    throw await refusal(run, dialect, { ...gaps, restricted })
  return {
    ...schema,
    views: sight.views.filter((table) => !isUnneeded(table)),
    withheld_rates: withheldRates(sight),
    notices_unknown: unknownNotices(sight, dialect),
    billings_unknown: unknownBillings(sight, dialect),
    ledger_unknown: unknownLedger(sight, dialect),
    attempts_unknown: unknownAttempts(sight, dialect),
    aviate: await usedAviateTables(run, sight),
  }
}

async function findGaps(run: QueryRunner, dialect: string, schema: SchemaProbe, sight: Sight): Promise<Gaps> {
  const { denied, restricted } = sight
  const isQuantityUnclear = !schema.has_quantity && sight.columns.has('subscription_events')
  const unseen = isQuantityUnclear ? [...schema.missing, QUANTITY] : schema.missing
  const isPostgres = dialect === 'postgres'
  const hidden = isPostgres || unseen.length === 0 ? [] : await findHidden(run, CONNECTOR, unseen)
  // If `invoice_payments` has the layout of 0.22, `subscription_events` has it, too. Then `quantity` is absent, not hidden.
  const wanted = hidden.filter((name) => name !== QUANTITY || schema.has_payment_status)
  return {
    absent: schema.missing.filter((name) => !denied.has(name) && !hidden.includes(name)),
    denied: unseen.filter((name) => denied.has(name)),
    hidden: wanted.filter((name) => !denied.has(name)),
    restricted,
  }
}

async function refusal(run: QueryRunner, dialect: string, gaps: Gaps): Promise<AppError> {
  const { absent, denied, hidden, restricted } = gaps
  const missing = [...absent, ...denied, ...hidden]
  const tables = tablesOf([...denied, ...hidden])
  const described = (remedy: string): string =>
    [
      ...(denied.length === 0 ? [] : [deniedText(denied.join(', '), remedy)]),
      ...(absent.length === 0 ? [] : [absentText(absent)]),
      ...(dialect === 'trino' && absent.some(isColumn) ? [domainText(absent.filter(isColumn))] : []),
      ...(hidden.length === 0 ? [] : [hiddenText(hidden, absent, remedy)]),
      ...(restricted.length === 0 ? [] : [restrictedText(restricted.join(', '))]),
    ].join(' ')
  const general = described(grantsRemedy({ dialect, tables }))
  const operatorDetail =
    tables.length === 0 ? general : described(grantsRemedy({ dialect, tables, ...(await readPlace(run, CONNECTOR, dialect)) }))
  return new AppError('unsupported_by_connector', general, {
    context: {
      connector: CONNECTOR,
      ...(missing.length === 0 ? {} : { missing }),
      ...(restricted.length === 0 ? {} : { row_security: restricted }),
    },
    operatorDetail,
  })
}

function looseTexts(columns: readonly string[]): AppError {
  const detail = `PostgreSQL treats different texts as equal in ${columns.slice(0, MOST_NAMED).join(', ')}: their collation is not deterministic, or their type is citext. Kill Bill distinguishes such texts, so Plumbline answers nothing. Give the columns a deterministic collation and the type character varying.`
  return new AppError('unsupported_by_connector', detail, {
    context: { connector: CONNECTOR, columns: columns.slice(0, MOST_NAMED) },
  })
}

function absentText(absent: readonly string[]): string {
  const named = absent.join(', ')
  return isBefore022(absent)
    ? `This is Kill Bill 0.20 or older, which is not supported (0.22, 0.24 and 0.25 are): it lacks ${named}.`
    : `The database lacks tables or columns of Kill Bill 0.22 to 0.25: ${named}.`
}

function isColumn(name: string): boolean {
  return name.includes('.')
}

/** Kill Bill's own schema for PostgreSQL has its instants and long texts in domains. */
function domainText(columns: readonly string[]): string {
  const more = columns.length - MOST_NAMED
  const listed = `${columns.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `If Trino reads them from PostgreSQL, it leaves out columns whose type is a domain (${listed}): set unsupported-type-handling = CONVERT_TO_VARCHAR in the properties of the catalog, and make publications, which read such columns as texts (docs/lake.md).`
}

function hiddenText(hidden: readonly string[], absent: readonly string[], remedy: string): string {
  const older = isBefore022([...hidden, ...absent])
    ? ' If they do not exist, this is Kill Bill 0.20 or older, which is not supported.'
    : ''
  return `The database lacks tables or columns of Kill Bill 0.22 to 0.25, or its role may not read them: ${hidden.join(', ')}. If they exist, ${remedy}.${older}`
}

function noEngine(): AppError {
  return new AppError(
    'unsupported_by_connector',
    'There is no Kill Bill in this database, or its role may read none of the tables: does the address name the right database, and `schema` the right one of its schemas? May the role use that schema?',
    { context: { connector: CONNECTOR, missing: ['tables'] } },
  )
}
