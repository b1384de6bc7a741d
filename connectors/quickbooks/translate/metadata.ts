import type { Metadata } from '../../../src/connector-kit/index.ts'

/** Native values as they were, without those that are absent. */
export function metadataOf(native: Readonly<Record<string, unknown>>): Metadata {
  return Object.fromEntries(Object.entries(native).filter(([, value]) => value !== null && value !== undefined && value !== ''))
}
