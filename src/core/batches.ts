/** Splits the items into lists of at most `size`. */
export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/** Collects arriving items into lists of at most `size`. */
export async function* inBatches<T>(items: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Groups concurrent calls into batches: calls that arrive while a batch runs form the next batch, so that one commit serves many
 * calls. A failed batch is run again item by item, so that each call gets only the error of its item.
 */
export function groupCalls<Item>(work: (items: readonly Item[]) => Promise<void>, most: number): (item: Item) => Promise<void> {
  const waiting: Waiting<Item>[] = []
  let isRunning = false

  const runEach = async (batch: readonly Waiting<Item>[]): Promise<void> => {
    for (const { item, resolve, reject } of batch) await work([item]).then(resolve, reject)
  }
  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      const [first, ...others] = batch
      if (first !== undefined && others.length === 0) await runEach(batch)
      else {
        await work(batch.map(({ item }) => item)).then(
          () => {
            for (const { resolve } of batch) resolve()
          },
          () => runEach(batch),
        )
      }
    }
    isRunning = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
