import { createHash } from 'node:crypto'

/** First 12 hex digits of the SHA-256 of the resolved definitions, keys sorted. */
export function hashDefinitions(definitions: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(sorted)))
    .digest('hex')
    .slice(0, 12)
}
