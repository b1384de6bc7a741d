/** What was looked at. */
export type ConformanceCheck = 'readable' | 'columns' | 'types' | 'nulls' | 'values' | 'grain' | 'spans' | 'movements' | 'windows'

/** Something in which a relation breaks its contract, with how often it does and one case of it. */
export interface ConformanceFinding {
  readonly relation: string
  readonly check: ConformanceCheck
  readonly message: string
  readonly count: number
}

/** Gathers cases into findings: those with the same check and text are one, which tells the first case. */
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
