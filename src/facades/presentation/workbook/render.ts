import type { Answer, MetricDefinition } from '../../../engine/engine.ts'
import { recordsOf, rowOf } from '../table.ts'
import type { Asked } from './question-sheet.ts'
import { writeWorkbook } from './workbook.ts'

export type { Asked } from './question-sheet.ts'

/** So many rows are written while others wait; to start a thread for them would take longer. */
const ROWS_HERE = 2_000

/** The XLSX body: the answer, the question and the definitions, a sheet each. `metric` is what was asked for, unless records were. */
export async function renderXlsx(
  answer: Answer,
  asked: Asked,
  metric: MetricDefinition | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const { columns, meta } = answer
  const head = { columns, meta, asked, metric: metric === undefined ? undefined : meaningOf(metric) }
  const records = recordsOf(answer)
  if (records.length <= ROWS_HERE) return writeWorkbook(head, records.map(rowOf(columns)))
  const { writeLargeWorkbook } = await import('./large-workbook.ts')
  return writeLargeWorkbook(head, records, rowOf(columns))
}

function meaningOf({ name, summary, docs: { formula, assumptions, edge_cases } }: MetricDefinition) {
  return { name, summary, docs: { formula, assumptions, edge_cases } }
}
