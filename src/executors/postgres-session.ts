import { pgDriver } from './drivers.ts'
import type { Limits } from './options.ts'
import { MEBIBYTE } from './options.ts'

const READ_ONLY_TRANSACTION = 'isolation level repeatable read, read only'

/** Statements that open a read-only snapshot on a server: transaction, then settings that end with it. */
export function beginStatements(limits: Limits, schema: string | undefined): readonly string[] {
  return [`begin transaction ${READ_ONLY_TRANSACTION}`, timeLimit(limits), ...commonSettings(limits, schema)]
}

/** The same for PGlite, which opens the transaction itself and has no time limit. */
export function embeddedBeginStatements(limits: Limits, schema: string | undefined): readonly string[] {
  return [`set transaction ${READ_ONLY_TRANSACTION}`, ...commonSettings(limits, schema)]
}

/** What tells a server from others: no two start in the same microsecond. */
export const READ_SERVER = 'select extract(epoch from pg_postmaster_start_time())::text as server'

/** Statements that begin a read-only transaction for one statement before the snapshot. */
export function aloneStatements(limits: Limits): readonly string[] {
  return ['begin transaction read only', timeLimit(limits)]
}

function timeLimit({ statementTimeoutMs }: Limits): string {
  return `set local statement_timeout = ${Math.ceil(statementTimeoutMs)}`
}

function commonSettings(limits: Limits, schema: string | undefined): readonly string[] {
  return [
    "set local timezone = 'UTC'",
    "set local datestyle = 'ISO, YMD'",
    `set local work_mem = '${Math.ceil(limits.sessionMemoryBytes / MEBIBYTE)}MB'`,
    // Policies that hide rows make a statement an error; without this they make its answer smaller.
    'set local row_security = off',
    // Compilation does not pay for statements that run once, and the planner chooses it because it expects far too many rows.
    'set local jit = off',
    // The planner estimates chains of CTEs at one row and would choose nested loops, which take minutes where hash joins take a second.
    'set local enable_nestloop = off',
    'set local enable_mergejoin = off',
    ...(schema === undefined ? [] : [`set local search_path = ${pgDriver().escapeIdentifier(schema)}`]),
  ]
}
