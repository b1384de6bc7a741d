/** The median of whole numbers, given how often each occurs; null if there are none. Of two middle numbers it is the mean. */
export function medianOf(counts: ReadonlyMap<number, number>): number | null {
  const sorted = [...counts].filter(([, count]) => count > 0).sort(([one], [other]) => one - other)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  return (numberAt(sorted, Math.floor((total - 1) / 2)) + numberAt(sorted, Math.floor(total / 2))) / 2
}

function numberAt(sorted: readonly (readonly [number: number, count: number])[], index: number): number {
  let passed = 0
  for (const [number, count] of sorted) {
    passed += count
    if (index < passed) return number
  }
  return 0
}
