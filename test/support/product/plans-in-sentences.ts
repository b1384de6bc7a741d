/** The plan of origin in a sentence about a kind of movement. */
export interface ToldPlan {
  readonly movement_type: string
  readonly plan_id: string
  readonly part: string
  /** Movements of that plan, and of all plans. */
  readonly events: number
  readonly all_events: number
}

const STARTS: Readonly<Record<string, string>> = {
  New: 'new',
  Expansion: 'expansion',
  Contraction: 'contraction',
  Cancellations: 'churn',
  Returning: 'reactivation',
}

/** The plans that sentences about a change of MRR name with numbers of movements, in their order. */
export function toldPlans(sentences: readonly string[]): readonly ToldPlan[] {
  return sentences.flatMap((sentence) => {
    const found = /^(\w+).*, (all|mostly|the largest part) from (.+): ([\d,]+)(?: of ([\d,]+))? movements?\.$/.exec(sentence)
    if (found === null) return []
    const [, start = '', part = '', plan_id = '', own = '', all = own] = found
    return [{ movement_type: STARTS[start] ?? start, plan_id, part, events: numberOf(own), all_events: numberOf(all) }]
  })
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''))
}
