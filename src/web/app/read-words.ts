import { readSearch, type Search } from '../controls/search.ts'
import { STEPS, type Step } from '../format/days.ts'

/** A question in words, such as “MRR by country, EUR, last 3 months”, taken apart. */
export interface Words {
  /** Names of a figure, and values that narrow it. */
  readonly asked: readonly string[]
  /** What stands behind “by”: a group, and further values. */
  readonly by: readonly string[]
  readonly range: Search['range']
  readonly step: Step | undefined
}

const RANGE = /\b(this|last|next)[ -]+(?:(\d{1,4})[ -]+)?(day|week|month|quarter|year)(s?)\b/
const STEP = new RegExp(`\\bby (${STEPS.join('|')})\\b`)
const FILLERS = new Set(['and', 'for', 'in', 'of', 'only', 'the', 'with'])

/** Takes a question apart. What names no days or step stays among the words. */
export function readWords(text: string): Words {
  const asked = text.toLowerCase().replaceAll(/[\s,:]+/g, ' ')
  const [found = '', which, count, unit, plural] = RANGE.exec(asked) ?? []
  const { range } = readSearch({ range: [which, count, `${unit}${plural}`].filter((part) => part !== undefined).join('-') })
  const withoutRange = range === undefined ? asked : asked.replace(found, ' ')
  const [by = '', step] = STEP.exec(withoutRange) ?? []
  const [head = '', ...tail] = withoutRange.replace(by, ' ').split(/\bby\b/)
  return { asked: wordsOf(head), by: wordsOf(tail.join(' ')), range, step: STEPS.find((one) => one === step) }
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '' && !FILLERS.has(word))
}
