import type { Origin } from '../../engine/engine.ts'

/** Where an answer was read and why not elsewhere, as one line for `--explain`. */
export function originText({ source, service, alone, isStored, unstored }: Origin): string {
  const place = source === 'cache' ? 'from the cache' : 'straight from the database'
  if (service !== undefined)
    return `Answered ${place} by the service (process ${service.pid}, running since ${service.since.slice(0, 19)}Z).`
  const reason = alone === undefined ? '' : `; no service answered: ${alone}`
  const kept = source === 'cache' ? (isStored === true ? ' on disk' : ' of this process') : ''
  // Without a place for a cache, both reasons are the same.
  const unused = unstored === undefined || unstored === alone ? '' : `; the cache on disk was not used: ${unstored}`
  return `Answered ${place}${kept}${reason}${unused}.`
}
