import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Times of one task in milliseconds, memory of the process at its highest in bytes. */
export interface Measurement {
  readonly cold: number
  /** Median of the runs after the first. */
  readonly warm: number
  readonly warm_runs: number
  /** Before the first run. */
  readonly idle_rss: number
  readonly peak_rss: number
  readonly peak_heap: number
  /** Digest of the answer, the same on every engine. */
  readonly digest: string
}

const SAMPLE_EVERY_MS = 10

/** The limits of the warm runs: their number, and the time after which no further one begins. */
export interface RunLimits {
  readonly runs: number
  readonly enough_ms: number
}

/** Runs a task once cold, then warm, with the heap emptied before. */
export async function measure(run: () => Promise<unknown>, limits: RunLimits): Promise<Measurement> {
  collectGarbage()
  const memory = watchMemory()
  try {
    const started = performance.now()
    const [cold, answer] = await timed(run)
    const warm: number[] = []
    while (warm.length < limits.runs && (warm.length === 0 || performance.now() - started < limits.enough_ms)) {
      warm.push((await timed(run))[0])
    }
    return { cold, warm: median(warm), warm_runs: warm.length, ...memory.peaks(), digest: digestOf(answer) }
  } finally {
    memory.stop()
  }
}

/** Milliseconds that a piece of work takes, and what it gives. */
export async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const started = performance.now()
  const result = await work()
  return [performance.now() - started, result]
}

/** Middle of some numbers; of an even count the mean of the two. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

function watchMemory(): { peaks(): Pick<Measurement, 'idle_rss' | 'peak_rss' | 'peak_heap'>; stop(): void } {
  let [rss, heap] = [0, 0]
  const look = (): void => {
    const now = process.memoryUsage()
    rss = Math.max(rss, now.rss)
    heap = Math.max(heap, now.heapUsed)
  }
  look()
  const idle = rss
  const timer = setInterval(look, SAMPLE_EVERY_MS)
  return {
    peaks() {
      look()
      return { idle_rss: idle, peak_rss: rss, peak_heap: heap }
    },
    stop: () => clearInterval(timer),
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function digestOf(answer: unknown): string {
  return createHash('sha256').update(JSON.stringify(answer)).digest('hex').slice(0, 8)
}
