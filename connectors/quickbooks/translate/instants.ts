import { InternalError } from '../../../src/connector-kit/index.ts'

/** An instant with an offset, as Intuit writes it, in UTC with milliseconds. */
export function instantOf(native: string): string {
  const at = new Date(native)
  if (Number.isNaN(at.getTime())) throw new InternalError(`QuickBooks names an instant that cannot be read: ${native}`)
  return at.toISOString()
}
