import { createLagoConnector } from '../../../connectors/lago/index.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Row } from '../../../src/ports/rows.ts'
import type { Held, SoakedBilling } from './held-rows.ts'
import { EVERY_ORGANIZATION } from './lago-case.ts'
import { lagoCatalog } from './lago-engine.ts'
import type { CacheOptions } from './recorded-engine.ts'
import { type HeldCache, textCache, textHeld, textLines } from './text-held.ts'

/** The tables of the relations that a cache of Lago holds. */
export const LAGO_HELD = textHeld(EVERY_ORGANIZATION, lagoCatalog())

/** Lago for a cache that is soaked. Its look reads no clock. */
export const SOAKED_LAGO: SoakedBilling = {
  connector: () => createLagoConnector({ organization: ['all'] }),
  tables: () => LAGO_HELD,
  keyType: 'text',
}

/** A cache over a Lago database, at the instant of a clock. */
export function lagoCache(
  executor: Executor,
  clock: { now(): Date },
  connector = EVERY_ORGANIZATION,
  options: Partial<CacheOptions> = {},
): HeldCache {
  return textCache(LAGO_HELD, connector, executor, clock, options)
}

/** The rows of relations as the cache would hold them, as sorted lines. */
export function heldLines(rows: Readonly<Record<string, readonly Row[]>>): Held['tables'] {
  return textLines(LAGO_HELD, rows)
}
