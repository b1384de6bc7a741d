import type * as z from 'zod'
import { InternalError } from '../../core/errors.ts'
import { audienceFilters } from '../../query/audience.ts'
import { type ResultRow, textCell } from '../../query/cells.ts'
import { segmentDimension } from '../../query/dimensions/segment.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import type { RelationContract } from '../../relations/define-relation.ts'
import type { Shaped, Work } from '../answering.ts'
import { type CapabilityOf, inferredWarning } from '../capability.ts'
import { createContext } from '../context.ts'
import type { EngineDependencies } from '../dependencies.ts'
import { FIGURE_NAMES, type FigureName, type Figures, SUMMARY_ANSWER, SUMMARY_COLUMNS } from './answer.ts'
import { figuresOf, partSums } from './figures.ts'
import { readFigures } from './read.ts'
import type { SummaryRequest } from './request.ts'
import { daysOf } from './windows.ts'

const REVENUE = ['mrr_span', 'customer']
const TRIALS = ['trial', 'customer']

/** The headline figures from one statement in one snapshot, under compare a list of them (http-api.md 3.1). */
export async function answerSummary(
  request: SummaryRequest,
  deps: EngineDependencies,
  capabilityOf: CapabilityOf,
  around: Work,
): Promise<Shaped> {
  const { windows, conditions, audience } = request
  const compared = audience?.branches.map(({ segment_id }) => segment_id) ?? []
  const dimensions = compared.length === 0 ? [] : [segmentDimension(compared)]
  const asking = {
    definition: { name: 'summary' },
    request: {
      time: windows.trailing,
      at: undefined,
      dimensions,
      conditions,
      audience,
      compared,
      unit: 'base',
      warnings: [],
    } as const,
  }
  const context = createContext(asking, { ...around, deps })
  for (const warning of request.warnings) around.warn(warning)
  const fields = [...conditions, ...audienceFilters(audience)].map(({ field }) => field)
  for (const warning of inferredWarning({ reads: [...REVENUE, ...TRIALS] }, fields, capabilityOf)) around.warn(warning)
  const unsupported = FIGURE_NAMES.filter((name) => readsOf(name).some((read) => capabilityOf(read) === 'absent'))
  const rows = await readFigures(context, windows, absentRelations(unsupported))
  if (unsupported.length > 0) {
    const message = `The connector cannot supply: ${unsupported.join(', ')}.`
    around.warn({ code: 'partial', message, count: unsupported.length })
  }
  const write = (own: readonly ResultRow[]) => {
    const figures = { ...figuresOf(partSums(own), windows, context.now), ...nulls(unsupported) }
    return checked({ ...stated(request, around), ...figures, unsupported })
  }
  if (compared.length === 0) return { data: write(rows), kind: 'object', columns: SUMMARY_COLUMNS }
  const data = compared.map((segment_id) => ({
    segment_id,
    ...write(rows.filter((row) => textCell(row, 'segment_id') === segment_id)),
  }))
  return { data, kind: 'rows', columns: ['segment_id', ...SUMMARY_COLUMNS] }
}

function stated({ windows }: SummaryRequest, { data_through, session }: Work) {
  return {
    as_of: windows.as_of.day,
    rate_window: daysOf(windows.rate),
    trailing_window: daysOf(windows.trailing),
    data_through,
    base_currency: session.definitions.base_currency,
  }
}

// Parsing puts the keys into the order of the answer.
function checked(data: unknown): z.infer<typeof SUMMARY_ANSWER> {
  const parsed = SUMMARY_ANSWER.safeParse(data)
  if (!parsed.success) throw new InternalError(`the summary has another shape than it declares: ${parsed.error.message}`)
  return parsed.data
}

function readsOf(figure: FigureName): readonly string[] {
  return figure === 'trial_conversion_rate' ? TRIALS : REVENUE
}

function nulls(names: readonly FigureName[]): Partial<Figures> {
  return Object.fromEntries(names.map((name) => [name, null]))
}

function absentRelations(unsupported: readonly FigureName[]): readonly RelationContract[] {
  const names = [
    ...(unsupported.includes('trial_conversion_rate') ? ['trial'] : []),
    ...(unsupported.includes('mrr') ? ['start_cohort', 'customer_activity'] : []),
  ]
  return RELATION_CONTRACTS.filter(({ name }) => names.includes(name))
}
