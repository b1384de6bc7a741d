/** The part of a spec that groups by these dimensions; nothing for none, as an empty list is refused. */
export function groupedBy(dimensions: readonly string[]): { readonly dimensions?: readonly string[] } {
  return dimensions.length === 0 ? {} : { dimensions }
}
