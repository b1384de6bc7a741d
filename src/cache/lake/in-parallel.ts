/** Does each work once those that it comes after are done, at most `most` at the same time. The first failure ends it, when those at work have ended. */
export async function inParallel<T extends { readonly table: string; readonly after?: readonly string[] }>(
  works: readonly T[],
  most: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const waiting = new Set(works)
  const done = new Set<string>()
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  while (waiting.size > 0 && failure === undefined) {
    for (const one of waiting) {
      if (running.size >= most) break
      if (!(one.after ?? []).every((table) => done.has(table))) continue
      waiting.delete(one)
      const run = work(one)
        .then(() => void done.add(one.table))
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => running.delete(run))
      running.add(run)
    }
    await Promise.race(running)
  }
  await Promise.all(running)
  if (failure !== undefined) throw failure.error
}
