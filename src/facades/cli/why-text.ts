import { paint } from './paint.ts'
import { withoutControls } from './table.ts'

/** True for the answer that explains a change of MRR. */
export function isExplanation(columns: readonly string[]): boolean {
  return columns.includes('movers') && columns.includes('sentences')
}

/** The change in sentences, then a sentence for each of the largest movements. */
export function explanationLines(data: Readonly<Record<string, unknown>>, bold: boolean): readonly string[] {
  const [first = '', ...others] = textsOf(data['sentences'])
  const movers = listOf(data['movers']).flatMap((mover) =>
    typeof mover === 'object' && mover !== null && 'text' in mover ? [String(mover.text)] : [],
  )
  const lines = [...others, ...(movers.length === 0 ? [] : ['', ...movers])]
  return [paint('bold', withoutControls(first), bold), ...lines.map(withoutControls)]
}

function textsOf(list: unknown): readonly string[] {
  return listOf(list).map(String)
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}
