/** A function that computes its value when it is first called and keeps it. A failure is not kept. */
export function once<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined
  return () => {
    kept ??= { value: compute() }
    return kept.value
  }
}
