const WIDTH = 84
const HEIGHT = 28

/** The course of a figure, without a scale: what it is at the end stands beside it. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.flatMap((value) => (value === null ? [] : [value]))
  if (known.length < 2) return null
  const low = Math.min(...known)
  const range = Math.max(...known) - low || 1
  const step = WIDTH / (values.length - 1)
  let isDrawing = false
  const path = values.map((value, place) => {
    if (value === null) {
      isDrawing = false
      return ''
    }
    const command = isDrawing ? 'L' : 'M'
    isDrawing = true
    return `${command}${(place * step).toFixed(1)} ${(HEIGHT - ((value - low) / range) * HEIGHT).toFixed(1)}`
  })
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={path.join('')} />
    </svg>
  )
}
