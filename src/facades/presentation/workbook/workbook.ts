import type { Answer } from '../../../engine/engine.ts'
import { answerSheet } from './answer-sheet.ts'
import { definitionsSheet, type MeaningOf } from './definitions-sheet.ts'
import { type Asked, questionSheet } from './question-sheet.ts'

/** What a workbook says beside the rows of its answer; nothing in it is code, so that it can go to another thread. */
export interface WorkbookHead {
  readonly columns: Answer['columns']
  readonly meta: Answer['meta']
  readonly asked: Asked
  readonly metric: MeaningOf | undefined
}

/** The XLSX file with these rows. It keeps its thread busy until it is done. */
export async function writeWorkbook(
  head: WorkbookHead,
  table: readonly (readonly unknown[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded on demand: most answers are no workbooks. hucre has no dependencies; other writers bring nine packages, or break on a cell
  // with the text `constructor`.
  const { writeXlsx } = await import('hucre/xlsx')
  const sheets = [answerSheet(head, table), questionSheet(head.asked, head), definitionsSheet(head, head.metric)]
  const { data_through } = head.meta
  // The same answer of the same moment has the same bytes.
  const at = data_through === null ? {} : { created: new Date(data_through), modified: new Date(data_through) }
  return Uint8Array.from(await writeXlsx({ sheets, properties: at }))
}
