import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take or wait for the better part of a minute, the longest first. */
const LONGEST = [
  'parity/byte-equal',
  'cache/traps',
  'web/sample',
  'web/with-keys',
  'web/recorded-tenant',
  'web/hostile',
  'parity/churn-beside-fold',
  'cache/faults',
  'e2e/embedded-store',
  'parity/data-endpoints',
  'parity/summary',
  'property/segment-slices',
  'parity/segments',
  'parity/mrr-recorded',
]

/** Starts the longest files first and the others by their size, so that the workers end together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return place === -1 ? LONGEST.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
