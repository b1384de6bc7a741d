import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, fault } from './accounting-api.ts'

const MINUTE_MS = 60_000

/** Intuit's limits: what is beyond them is `429`. */
export function createMeter(limits: { readonly perMinute: number; readonly atOnce: number }) {
  const times: number[] = []
  let running = 0
  let most = 0
  return {
    mostAtOnce: () => most,
    async pass(answerMs: number, work: () => Answer): Promise<Answer> {
      const now = Date.now()
      while ((times[0] ?? now) <= now - MINUTE_MS) times.shift()
      if (times.length >= limits.perMinute || running >= limits.atOnce) return fault(429, '3001', 'ThrottleExceeded')
      times.push(now)
      running += 1
      most = Math.max(most, running)
      try {
        if (answerMs > 0) await sleep(answerMs)
        return work()
      } finally {
        running -= 1
      }
    },
  }
}
