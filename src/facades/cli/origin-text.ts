import type { Origin } from '../../engine/engine.ts'

/** Where an answer was read and why not elsewhere, as one line for `--explain`. */
export function originText({ source, service, alone, isStored }: Origin): string {
  const place = source === 'cache' ? 'from the cache' : 'straight from the database'
  if (service !== undefined)
    return `Answered ${place} by the service (process ${service.pid}, running since ${service.since.slice(0, 19)}Z).`
  const reason = alone === undefined ? '' : `; no service answered: ${alone}`
  return `Answered ${place}${source === 'cache' ? (isStored === true ? ' on disk' : ' of this process') : ''}${reason}.`
}
