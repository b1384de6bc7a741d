import type { Answer } from '../../engine/engine.ts'

/**
 * Name under which an answer is kept: what was asked for, the days that it is about, and the day up to which it is complete. An answer of
 * one day that is that day has it once.
 */
export function fileNameOf({ meta: { days, data_through } }: Answer, path: string, extension: string): string {
  const subject = path.replace(/^\/api\/(metrics\/)?/, '').replaceAll(/[^A-Za-z0-9-]+/g, '-')
  const range = days === undefined ? [] : days.start === days.end ? [days.end] : [days.start, days.end]
  const day = data_through?.slice(0, 10)
  const known = day === undefined || (range.length === 1 && range[0] === day) ? [] : [`as-of-${day}`]
  return `${[subject, ...range, ...known].join('_')}.${extension}`
}
