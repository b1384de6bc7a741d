/**
 * Imports for a connector outside the product, as `plumbline/connector-kit`: the connector's contract, the relations to supply, statements
 * over the engine's tables, errors that callers understand, and the conformance kit.
 */

export { redact } from '../core/addresses.ts'
export { chunksOf } from '../core/batches.ts'
export type { FxRate } from '../core/currency.ts'
export { baseCurrency, type DefinitionSet, type Definitions } from '../core/definitions.ts'
export { AppError, ConfigurationError, errorFromIssues, InternalError, type Issue } from '../core/errors.ts'
export {
  ACCOUNT_TYPES,
  type AccountRecord,
  type AccountType,
  BILL_KINDS,
  BILL_STATUSES,
  type BillKind,
  type BillPaymentRecord,
  type BillRecord,
  type BillStatus,
  type DeletedRecord,
  type DocumentKind,
  type ExpenseLine,
  type ExpenseRecord,
  type ItemRecord,
  LINE_DIMENSIONS,
  type LineDimensions,
  type Metadata,
  PAYMENT_TYPES,
  type PaymentType,
  type PurchaseRecord,
  type VendorRecord,
} from '../core/expense.ts'
export { roundFraction } from '../core/money.ts'
export { isDay, sqlInstant, sqlNow } from '../core/periods.ts'
export type {
  AccountingPlatform,
  BackfillPage,
  Changes,
  Connection,
  Consent,
  ExpenseConnector,
  Registration,
  Secrets,
  SourceAccess,
  Webhooks,
} from '../ports/accounting.ts'
export { isReconnectNeeded, reconnectNeeded } from '../ports/accounting.ts'
export { isTrue } from '../ports/cells.ts'
export type { Notification } from '../ports/source-store.ts'
export { RELATION_CONTRACTS } from '../relations/contracts.ts'
export type { ColumnContract, ContractType, RelationContract } from '../relations/define-relation.ts'
export { inlineColumns } from '../relations/define-relation.ts'
export { unfitColumns } from './column-types.ts'
export { plainSession } from './complete-session.ts'
export { type ConformanceCheck, type ConformanceFinding, type ConformanceInput, checkConformance } from './conformance.ts'
export type {
  Capability,
  CheckFinding,
  ConnectorSession,
  DatabaseConnector,
  InlineRelation,
  Row,
  Snapshot,
  SourceRow,
} from './connector.ts'
export { type CountedRunner, countedRunner } from './counted-runner.ts'
export {
  type ConnectorDefinition,
  defineConnector,
  definePlatform,
  oneOrMore,
  type PlatformDefinition,
  places,
} from './definition.ts'
export {
  type CountedCharge,
  chargesIn,
  counted,
  type Evidence,
  type EvidenceSubject,
  type FindEvidence,
  isAround,
  isAt,
  isBy,
  isOfCustomer,
  isOfInvoice,
  namedIn,
  rowsBy,
  secondOf,
} from './evidence.ts'
export {
  deniedText,
  type Granted,
  grantsRemedy,
  postgresGrants,
  readPlace,
  restrictedText,
  type SessionPlace,
  tablesOf,
  unknownTables,
} from './grants.ts'
export {
  type ColumnKind,
  type Customers,
  type CustomerTable,
  customersIn,
  customerTables,
  type EngineColumns,
  type Look,
  type MirrorSource,
  type RawTable,
  type RawType,
  type RefillCause,
  type RowKeys,
} from './mirror-source.ts'
export {
  createQueryRunner,
  digits,
  empty,
  type Fragment,
  fn,
  fragment,
  ident,
  instantCell,
  integerCell,
  integerOrNull,
  join,
  parseInteger,
  type QueryRunner,
  sql,
  text,
  textCell,
  textList,
  value,
} from './query-runner.ts'
export { findHidden, readSight, type Sight, type SightRequest } from './rights.ts'
export {
  chooseSources,
  isEverySource,
  refusalFinding,
  type SourceChoice,
  sourceLabels,
  sourceWord,
} from './source-choice.ts'
export { type StampedLook, stampedLook, stampOfTables } from './stamped-look.ts'
export { unknownZones, type ZoneInUse, zoneFinding, zoneOffsets, zonesIn } from './zone-offsets.ts'
