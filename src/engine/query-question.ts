import { setNamed } from '../core/definition-sets/sets.ts'
import type { AskOptions } from '../execution/answer/answer.ts'
import { shapeQuery } from '../execution/answer/sort-and-page.ts'
import type { Question } from '../execution/pipeline.ts'
import { disclosedBy, disclosedByName } from '../execution/plan/disclosure.ts'
import type { PlannedQuery, Planner } from '../execution/plan/plan.ts'
import { type FoundQuery, runQuery } from '../execution/run.ts'
import { isBuiltIn } from '../metrics/built-in.ts'
import { namedIn } from '../query/audience-request.ts'
import { asksForecast, isExplained, type Raw } from '../query/raw-parameters.ts'
import { hasCustomers } from './fields.ts'

/** A query of a metric. `disclosing` is called with what it shows of customers, and throws if the caller may not see them. */
export function queryQuestion(
  metric: string,
  params: Raw,
  spec: Raw,
  planner: Planner,
  disclosing?: AskOptions['disclosing'],
): Question<PlannedQuery, FoundQuery> {
  const named = namedIn(params, spec)
  const disclosed = disclosedByName(named)
  if (disclosed.length > 0) disclosing?.(disclosed)
  return {
    key: [`query ${metric}`, params, spec],
    isForeign: !isBuiltIn(metric),
    set: setNamed(params),
    explains: isExplained(params),
    isForecast: asksForecast(params),
    named,
    plan(now, names) {
      const planned = planner.plan(metric, params, spec, now, names)
      // Decided from the names in the request. Callers who share an answer do not look up its attributes again.
      disclosing?.(disclosedBy(planned, named))
      return planned
    },
    planAt: planner.planAt,
    takesAttributes: () => hasCustomers(planner.find(metric)),
    audience: ({ request }) => request.audience,
    conditions: ({ request }) => request.conditions,
    run: (planned, context) => runQuery(planned, { ...context, planner }),
    shape: (found, planned, { session }) => shapeQuery(found, planned, session.definitions, session.now),
  }
}
