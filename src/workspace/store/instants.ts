export { isoInstant as instantFromStore } from '../../core/periods.ts'

/** An instant as the databases take it: UTC without zone. */
export function instantForStore(instant: string): string {
  return instant.replace('T', ' ').replace('Z', '')
}
