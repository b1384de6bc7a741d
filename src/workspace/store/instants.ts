export { isoInstant as instantFromStore } from '../../core/periods.ts'

/** An instant in the form that the databases accept: UTC without a time zone. */
export function instantForStore(instant: string): string {
  return instant.replace('T', ' ').replace('Z', '')
}
