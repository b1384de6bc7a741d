import { FIGURES as DISCOVERED } from '../../../docs/openapi/figures.ts'
import type { Query, RowsPath } from '../api/question.ts'

/** A metric in Explore: its questions for the total and over time. */
export interface ExploredFigure {
  readonly id: string
  readonly label: string
  /** Further words of a search, in lower case. */
  readonly search: string
  /** Its field in the summary. */
  readonly headline: string | null
  readonly metric: string
  /** Query type that supplies the dimensions to group by. */
  readonly inputs: string
  readonly measure: string
  /** The question for the whole range. */
  readonly total: Total
  /** The rows behind the metric: those of its measure, or of the parts of a rate. */
  readonly rows: { readonly query?: Query; readonly measures: readonly string[]; readonly note?: string }
  /** The question over time, if there is one. */
  readonly series?: { readonly path: RowsPath; readonly query?: Query; readonly stepName: 'interval' | 'granularity' }
  readonly kind: 'area' | 'bars' | 'line'
  /** Whether the measure needs no exchange rate, although the question does. It is then answered by currency. */
  readonly isCounted?: boolean
}

interface Total {
  readonly path: RowsPath
  /** The path for one number without groups, if `path` then answers another figure. */
  readonly alone?: RowsPath
  /** Whether the API has no such figure without groups. */
  readonly isGrouped?: boolean
  readonly query?: Query
  /** Whether the question is about the end of the range and not about the whole range. */
  readonly isLevel?: boolean
}

/** The metrics in the order of the menu, as the API lists them. */
export const FIGURES: readonly ExploredFigure[] = DISCOVERED.map((figure) => {
  const { id, label, search, headline, metric, measure, path, query, alone, step, rows } = figure
  return {
    id,
    label,
    search,
    headline,
    metric,
    inputs: figure.query_type,
    measure,
    kind: figure.chart,
    isCounted: figure.is_counted,
    total: {
      path,
      query,
      isLevel: figure.is_level,
      isGrouped: alone === null,
      ...(alone !== null && alone !== path && { alone }),
    },
    rows: { query: rows.query, measures: rows.measures, ...(rows.note !== null && { note: rows.note }) },
    ...(step !== null && { series: { path, query, stepName: step } }),
  }
})

/** The metric with this field of the summary. */
export function figureOf(field: string): ExploredFigure | undefined {
  return FIGURES.find(({ headline }) => headline === field)
}

/** The measures whose rows are behind a metric, such as the parts of a rate. */
export function partsOf(id: string): readonly string[] {
  return FIGURES.find((figure) => figure.id === id)?.rows.measures ?? []
}
