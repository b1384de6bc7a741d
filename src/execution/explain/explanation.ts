import type { Statement, StatementCost } from '../../compiler/statement.ts'
import { DEFAULT_SET } from '../../core/definition-sets/sets.ts'
import type { Definitions } from '../../core/definitions.ts'
import { packageVersion } from '../../core/package-root.ts'
import type { Warning } from '../../query/warning.ts'
import type { Source } from '../answer/answer.ts'
import type { RunContext } from '../run.ts'
import { hashDefinitions } from '../session/session.ts'

/** A statement with the values of its placeholders. */
export interface WrittenStatement extends Pick<Statement, 'text' | 'values'> {
  /** The statement with its values written out and the settings it needs, for `psql`, `mysql` or `mariadb`. */
  readonly literal: string
}

/** A statement that ran for an answer. */
export interface RanStatement extends WrittenStatement {
  /** The billing database, its copy in the cache, or the database of Plumbline. */
  readonly database: Source | 'store'
  /** Milliseconds. */
  readonly ms: number
  /** Number of its rows. */
  readonly rows: number
  /** Its work, as the server counts it. Only on Trino. */
  readonly cost?: StatementCost
}

/** How an answer was made: the fields next to `result` (http-api.md 16). */
export interface Explanation {
  readonly answered_by: Source
  /** The tenants that count. */
  readonly sources: readonly { readonly source_id: string; readonly name: string }[]
  /** In the order in which they ran. */
  readonly sql: readonly RanStatement[]
  /** For an answer of the cache: the statements that the billing database would run. Otherwise empty. */
  readonly replica_sql: readonly WrittenStatement[]
  readonly definitions: {
    /** Name of the definition set. */
    readonly name: string
    /** Version of the product. */
    readonly version: string
    /** The value of `x-definitions`. */
    readonly hash: string
    readonly options: Definitions
  }
  readonly data_through: string | null
  readonly warnings: readonly Warning[]
  readonly excluded: {
    /** Test accounts that do not count. 0 if they count. Null: their number is not known, because only the cache can answer. */
    readonly test_accounts: number | null
    /** Ids of subscriptions that count as 0 because the catalog has no price for them. */
    readonly unpriced_subscriptions: readonly string[]
  }
}

/** The parts of an explanation that follow from the session of the answer. */
export function describeOrigin(
  { session, source, warnings, data_through }: RunContext,
  set: string | undefined,
): Omit<Explanation, 'sql' | 'replica_sql' | 'excluded'> {
  return {
    answered_by: source,
    sources: session.connector.sources.map(({ source_id, name }) => ({ source_id, name })),
    definitions: {
      name: set ?? DEFAULT_SET,
      version: packageVersion(),
      hash: hashDefinitions(session.definitions),
      options: session.definitions,
    },
    data_through,
    warnings,
  }
}
