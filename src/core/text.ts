/** True for text that every database can hold: without NUL and without half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Cs}/u.test(text)
}
