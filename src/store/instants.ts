/** An instant as the databases take it: UTC without zone. */
export function instantForStore(instant: string): string {
  return instant.replace('T', ' ').replace('Z', '')
}

/** What a database returns for an instant, `YYYY-MM-DD HH:MM:SS` with or without fraction, as `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function instantFromStore(text: string): string {
  const [seconds = '', fraction = ''] = text.split('.')
  return `${seconds.replace(' ', 'T')}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}
