import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { capabilitiesOf } from '../../src/connector-kit/capabilities.ts'
import type { Capability } from '../../src/connector-kit/connector.ts'
import { packageRoot } from '../../src/core/package-root.ts'

const root = packageRoot()
const catalog = loadCatalog({
  sql: join(root, 'sql'),
  relations: [join(root, 'test', 'support', 'product', 'toy-connector', 'relations')],
})
const ofSpans = (usage_charge: Capability) =>
  capabilitiesOf(
    { capabilities: { customer: 'exact', plan: 'exact', subscription_fact: 'exact', usage_charge } },
    catalog,
    'postgres',
  )('mrr_span')

describe('the definition of a derived relation', () => {
  it('is inferred where anything below it is, also by way of a file without a contract', () => {
    expect(ofSpans('exact')).toBe('exact')
    expect(ofSpans('inferred')).toBe('inferred')
  })

  it('does not suffer from what may be absent', () => {
    expect(ofSpans('absent')).toBe('exact')
  })
})
