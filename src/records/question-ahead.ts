import * as z from 'zod'
import { inUnits } from '../core/amount.ts'
import { setNamed } from '../core/definition-sets/sets.ts'
import { shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Question } from '../execution/pipeline.ts'
import type { ResolvedNames } from '../query/audience-request.ts'
import { type DataRequest, type ListInputs, namedInList } from '../query/lists/request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import { conditionsOf } from './filters.ts'

/** A page of rows on days to come, with the sums of all months. */
export interface PageAhead<Row, Month> {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly months: readonly Month[]
  readonly rows: readonly Row[]
}

/** A list of days to come. */
interface ListAhead<Request, Row, Month> {
  readonly name: string
  readonly inputs: ListInputs
  readonly row: z.ZodObject
  readonly month: z.ZodType<Month>
  readonly plan: (now: Date, names?: ResolvedNames) => Request
  readonly run: Question<Request, PageAhead<Row, Month>>['run']
}

/** A request for a list of days to come. It reads the billing database, under the definition set that it names. */
export function questionAhead<Request extends DataRequest, Row, Month>(
  params: Raw,
  spec: Raw,
  { name, inputs, row, month, plan, run }: ListAhead<Request, Row, Month>,
): Question<Request, PageAhead<Row, Month>> {
  return {
    key: [name, params, spec],
    set: setNamed(params),
    isForecast: true,
    named: namedInList(params, spec, inputs),
    plan,
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: ({ audience }) => audience,
    conditions: conditionsOf,
    run,
    shape({ months, ...page }, request, { session }) {
      const base = session.definitions.base_currency
      const sums = request.money === 'units' ? inUnits(months, z.array(month), base) : months
      const shaped = shapeRecords({ data: page, kind: 'page' }, row, request, base)
      return { ...shaped, data: { ...(shaped.data as typeof page), months: sums } }
    },
  }
}
