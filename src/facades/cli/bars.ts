const WIDTH = 24

/** A bar for each value beside the greatest; none for what is not positive. Undefined where a bar would say nothing, or mislead. */
export function bars(values: readonly unknown[]): readonly string[] | undefined {
  const levels = values.filter((value): value is number => typeof value === 'number')
  const highest = Math.max(0, ...levels)
  if (levels.length < 2 || highest === 0 || levels.some((level) => level < 0)) return undefined
  return values.map((value) => (typeof value === 'number' ? '█'.repeat(Math.round((value / highest) * WIDTH)) : ''))
}
