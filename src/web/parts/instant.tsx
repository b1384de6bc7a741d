import { useNow } from '../controls/use-page.ts'
import { dayIn, formatDay, formatInstant } from '../format/days.ts'

/**
 * An instant on the clock of the service's time zone (D84): its day, with the time in the tooltip, or day and time. A date of the billing
 * database has no clock.
 */
export function Instant({ text, hasTime = false }: { readonly text: string; readonly hasTime?: boolean }) {
  const { zone } = useNow()
  if (!text.includes('T')) return <time dateTime={text}>{formatDay(text)}</time>
  const whole = formatInstant(text, zone)
  return (
    <time dateTime={text} title={whole}>
      {hasTime ? whole : formatDay(dayIn(zone, text))}
    </time>
  )
}
