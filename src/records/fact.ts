import { sql } from '../compiler/fragment.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { FactContext } from '../query/field.ts'

/** What the fields of lists are looked at from: they say how things are now, so that no instant decides them. */
export function listFact({ connector, definitions }: Pick<EngineDependencies, 'connector' | 'definitions'>): FactContext {
  return {
    fact: 'level',
    instant: sql`null`,
    isBefore: sql`1 = 1`,
    connector: connector.type,
    allowUnpriced: definitions.allow_unpriced,
    isNarrowed: false,
  }
}
