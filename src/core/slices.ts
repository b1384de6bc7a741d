import { performance } from 'node:perf_hooks'

/** Milliseconds that long work can use the thread without a break. */
export const SLICE_MS = 5
/** Items between two checks of the clock. */
const ITEMS = 32

/** Pauses when the work has used its slice. Call `await pace()` in a loop to let other work go on. */
type Pace = () => Promise<void> | undefined

const waiting: (() => void)[] = []

// All long tasks together get one slice per turn of the event loop. So other work waits for one slice, not for one slice per
// task.
function nextTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(nextTurn)
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(nextTurn)
  })
}

/** Creates the pace of one long task. The first slice begins now. */
export function createPace(): Pace {
  let until = performance.now() + SLICE_MS
  return () => {
    if (performance.now() < until) return undefined
    return turn().then(() => {
      until = performance.now() + SLICE_MS
    })
  }
}

/** The items one by one, in slices: `for await (const row of inSlices(rows))`. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  const pace = createPace()
  for (const item of items) {
    yield item
    await pace()
  }
}

/** Calls `work` with each item, in slices. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void, pace: Pace = createPace()): Promise<void> {
  let left = ITEMS
  for (const item of items) {
    work(item)
    left -= 1
    if (left > 0) continue
    left = ITEMS
    await pace()
  }
}

/** `items.map(change)` in slices. */
export async function mapInSlices<T, R>(items: readonly T[], change: (item: T, index: number) => R): Promise<R[]> {
  const changed: R[] = []
  await eachInSlices(items, (item) => void changed.push(change(item, changed.length)))
  return changed
}

/** `items.flatMap(change)` in slices. */
export async function flatMapInSlices<T, R>(items: readonly T[], change: (item: T) => readonly R[]): Promise<R[]> {
  const changed: R[] = []
  const pace = createPace()
  for (const item of items) {
    // One item can become many.
    for (const one of change(item)) changed.push(one)
    await pace()
  }
  return changed
}

/** Sorts the items in slices. The sort is stable. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  const pace = createPace()
  let runs: (readonly T[])[] = []
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).sort(compare))
    await pace()
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = []
    for (let index = 0; index < runs.length; index += 2)
      longer.push(await merged(runs[index] ?? [], runs[index + 1] ?? [], compare, pace))
    runs = longer
  }
  return runs[0] ?? []
}

/** Items that are sorted at once. */
const RUN = 512

async function merged<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
  pace: Pace,
): Promise<readonly T[]> {
  const all: T[] = []
  let [left, right] = [0, 0]
  while (left < first.length && right < second.length) {
    const [a, b] = [first[left] as T, second[right] as T]
    if (compare(a, b) <= 0) {
      all.push(a)
      left += 1
    } else {
      all.push(b)
      right += 1
    }
    if (all.length % ITEMS === 0) await pace()
  }
  for (; left < first.length; left += 1) all.push(first[left] as T)
  for (; right < second.length; right += 1) all.push(second[right] as T)
  return all
}
