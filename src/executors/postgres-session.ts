import pg from 'pg'
import type { Limits } from './options.ts'
import { MEBIBYTE } from './options.ts'

const READ_ONLY_TRANSACTION = 'isolation level repeatable read, read only'

/** Statements that open a read-only snapshot on a server: transaction, then settings that end with it. */
export function beginStatements(limits: Limits, schema: string | undefined): readonly string[] {
  return [
    `begin transaction ${READ_ONLY_TRANSACTION}`,
    `set local statement_timeout = ${Math.ceil(limits.statementTimeoutMs)}`,
    ...commonSettings(limits, schema),
  ]
}

/** The same for the embedded engine, which opens the transaction itself and knows no timeout. */
export function embeddedBeginStatements(limits: Limits, schema: string | undefined): readonly string[] {
  return [`set transaction ${READ_ONLY_TRANSACTION}`, ...commonSettings(limits, schema)]
}

function commonSettings(limits: Limits, schema: string | undefined): readonly string[] {
  return [
    "set local timezone = 'UTC'",
    "set local datestyle = 'ISO, YMD'",
    `set local work_mem = '${Math.ceil(limits.sessionMemoryBytes / MEBIBYTE)}MB'`,
    // Of no use to queries that run once, and dear: the planner expects far more rows than there are.
    'set local jit = off',
    // Chains of CTEs are estimated at one row, and a nested loop over them never ends; hash joins do not mind.
    'set local enable_nestloop = off',
    'set local enable_mergejoin = off',
    ...(schema === undefined ? [] : [`set local search_path = ${pg.escapeIdentifier(schema)}`]),
  ]
}
