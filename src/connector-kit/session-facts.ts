import { createHash } from 'node:crypto'
import type { ConnectorSession } from '../ports/session.ts'

/**
 * The facts of a session that decide what a cache answers over the same rows, without its inline relations and the present instant. For JSON.
 */
export function sessionFacts(session: ConnectorSession): readonly unknown[] {
  const { now: _, ...params } = session.params
  return [
    session.sources,
    params,
    [...session.aliases],
    session.currencies,
    session.rates_withheld ?? null,
    session.prices_in_doubt ?? null,
    session.inferred_parts ?? null,
    session.incomplete ?? null,
    session.incomplete_relations ?? null,
    session.zones_unknown ?? null,
    session.relations_unknown ?? null,
  ]
}

/** A short text that differs for other facts. */
export function digestOf(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64')
}
