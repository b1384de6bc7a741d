/** The subject of a check. */
export type ConformanceCheck = 'readable' | 'columns' | 'types' | 'nulls' | 'values' | 'grain' | 'spans' | 'movements' | 'windows'

/** A breach of a relation's contract, with the number of cases and one example. */
export interface ConformanceFinding {
  readonly relation: string
  readonly check: ConformanceCheck
  readonly message: string
  readonly count: number
}

/** Gathers cases into findings. Cases with the same check and text are one finding, which shows the first case. */
export function collectFindings(relation: string) {
  const found = new Map<string, { check: ConformanceCheck; text: string; example: string; count: number }>()
  return {
    report(check: ConformanceCheck, text: string, example: string): void {
      const known = found.get(`${check} ${text}`)
      if (known === undefined) found.set(`${check} ${text}`, { check, text, example, count: 1 })
      else known.count++
    },
    findings: (): readonly ConformanceFinding[] =>
      [...found.values()].map(({ check, text, example, count }) => ({ relation, check, message: `${text}: ${example}`, count })),
  }
}

export type Report = ReturnType<typeof collectFindings>['report']
