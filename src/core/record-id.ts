const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for text that an id of a stored record can be. No other needs to be looked for, and not every database could. */
export function isRecordId(text: string): boolean {
  return UUID.test(text)
}
