import { isReadable } from '../../src/cache/held/held-tables.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { neededBy } from '../../src/execution/plan/capability.ts'
import type { Row } from '../../src/ports/rows.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { HELD_TABLES } from '../support/product/held-rows.ts'

/** A question to the engine by the name of what it asks. */
export interface Question {
  readonly name: string
  /** True if a filled cache answers it. */
  readonly isCached: boolean
  ask(engine: Engine): Promise<unknown>
}

/** One question to every query of every metric of the billing database, and to lists that are streamed. */
export function everyMetric(
  range: { readonly start: string; readonly end: string },
  more: Readonly<Record<string, string>> = {},
): readonly Question[] {
  const metrics = BILLING_METRICS.flatMap((definition) =>
    Object.entries(definition.queries).map(([query_type, query]): Question => {
      const { name: metric } = definition
      const { inputs } = query
      const dates = paramsForDays(inputs, range)
      return {
        name: `${metric}.${query_type}`,
        isCached: neededBy(definition, query).every((relation) => isReadable(relation, HELD_TABLES)),
        ask: async (engine) => (await engine.query(metric, { query_type, ...dates, ...more })).data,
      }
    }),
  )
  const lists = (['customers', 'subscriptions'] as const).map(
    (list): Question => ({
      name: list,
      isCached: true,
      ask: async (engine) => (await engine.list(list, { limit: '1000', ...more }, {})).data,
    }),
  )
  return [...metrics, ...lists]
}

/** Rows or a number as a text that can be compared. */
export function bodyOf(data: unknown): string {
  return JSON.stringify(data as readonly Row[])
}
