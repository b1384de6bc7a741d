import type { WriteSheet } from 'hucre/xlsx'
import type { Answer, MetricDefinition } from '../../../engine/engine.ts'
import { textCell } from './cells.ts'

/** What of a metric the workbook of an answer says. */
export type MeaningOf = Pick<MetricDefinition, 'name' | 'summary'> & {
  readonly docs: Pick<MetricDefinition['docs'], 'formula' | 'assumptions' | 'edge_cases'>
}

/** What the answer means as a sheet: the definition of its metric, if it is of one, and each column. */
export function definitionsSheet({ meta }: Pick<Answer, 'meta'>, metric: MeaningOf | undefined): WriteSheet {
  const { fields } = meta
  const rows = [
    ...(metric === undefined ? [] : definitionRows(metric)),
    ...fields.map(({ name, description }) => [`Column: ${name}`, description]),
  ]
  return { name: 'Definitions', rows: rows.map((row) => row.map(textCell)), columns: [{ width: 32 }, { width: 120 }] }
}

function definitionRows({ name, summary, docs }: MeaningOf): readonly (readonly string[])[] {
  return [
    [`Metric: ${name}`, summary],
    ['Formula', docs.formula],
    ...docs.assumptions.map((text) => ['Assumption', text]),
    ...docs.edge_cases.map((text) => ['Edge case', text]),
  ]
}
