import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ONCE_IN_SEVEN } from '../support/databases/resting.ts'

/** Files that take or wait longer than the others, the longest first. */
const LONGEST = [
  ...ONCE_IN_SEVEN.map((path) => path.slice('test/'.length, -'.test.ts'.length)),
  'web/sample',
  'cache/stored',
  'parity/select-depth',
  'verify/recorded',
  'parity/sets-recorded',
  'property/customer-links',
  'parity/list-filters',
  'cache/edited-by-hand',
  'cache/agreed-prices',
  'cache/kept-sets',
  'parity/field-values',
  'parity/lago-figures',
  'parity/stripe-figures',
  'web/tenants',
  'evidence/usage-evidence',
  'web/first-hour',
  'cache/remembered',
  'metrics/several-currencies',
  'web/walks.release',
  'cache/traps',
  'cli/segments-and-attributes',
  'e2e/embedded-store.release',
  'web/settings.release',
  'web/hostile.release',
  'web/recorded-tenant.release',
  'web/with-keys',
  'e2e/packed-package.release',
  'cache/faults.release',
  'parity/byte-equal',
  'property/identities-money',
  'parity/segments',
  'e2e/documented-commands',
  'conformance/described-templates',
  'mcp/stdio',
  'http/hostile-input',
  'mcp/http',
  'cli/init',
  'cli/final-line',
  'parity/rows-beside-loops',
  'parity/toy-connector',
  'http/examples.release',
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
