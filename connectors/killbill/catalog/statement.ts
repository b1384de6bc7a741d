import type { Row, Snapshot } from '../../../src/connector-kit/connector.ts'

/** Rows of a plain select of this connector; `:tenants` becomes the tenants' numbers. */
export function selectRows(snapshot: Snapshot, label: string, text: string, tenants: readonly number[]): Promise<readonly Row[]> {
  const marks = tenants.map((_, index) => snapshot.dialect.placeholder(index + 1, 'integer')).join(', ')
  return snapshot.query({ text: text.replace(':tenants', marks), values: tenants, label })
}
