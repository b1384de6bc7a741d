import type { Answer, MetricDefinition } from '../../engine.ts'
import { answerSheet } from './answer-sheet.ts'
import { definitionsSheet } from './definitions-sheet.ts'
import { type Asked, questionSheet } from './question-sheet.ts'

export type { Asked } from './question-sheet.ts'

/** The XLSX body: the answer, the question and the definitions, a sheet each. `metric` is what was asked for, unless records were. */
export async function renderXlsx(
  answer: Answer,
  asked: Asked,
  metric: MetricDefinition | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  // Most answers are none of it, and to load it takes a while.
  const { writeXlsx } = await import('hucre/xlsx')
  const sheets = [answerSheet(answer), questionSheet(asked, answer), definitionsSheet(answer, metric)]
  const { data_through } = answer.meta
  // The same answer of the same moment has the same bytes.
  const at = data_through === null ? {} : { created: new Date(data_through), modified: new Date(data_through) }
  return Uint8Array.from(await writeXlsx({ sheets, properties: at }))
}
