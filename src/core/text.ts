/** True for text that every database can hold: without NUL and without half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Cs}/u.test(text)
}

/** The beginning of a text that is longer than so many characters, with an ellipsis. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  // Not within a surrogate pair.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
