import { describe, expect, it } from 'vitest'
import { nameTenants } from '../../connectors/killbill/tenants.ts'
import { ConfigurationError } from '../../src/core/errors.ts'

const tenant = (record_id: number, external_key: string | null) => ({
  record_id,
  id: `0000000${record_id}-0000-4000-8000-000000000000`,
  external_key,
  api_key: `secret-${record_id}`,
})
const [ACME, OTHER, NAMELESS, BLANK] = [tenant(1, 'acme'), tenant(2, 'other, inc'), tenant(3, null), tenant(4, ' ')] as const
const ALL = [ACME, OTHER, NAMELESS, BLANK]

function names(names: Readonly<Record<string, string>>, served: Parameters<typeof nameTenants>[1] = ALL, all = ALL) {
  return nameTenants(all, served, names).map(({ name }) => name)
}

function problems(...asked: Parameters<typeof names>): readonly string[] {
  try {
    names(...asked)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  throw new Error('expected a ConfigurationError')
}

describe('names of tenants', () => {
  it('are external keys, and record ids without one', () => {
    expect(names({})).toEqual(['acme', 'other, inc', 'Tenant 3', 'Tenant 4'])
  })

  it('are configured by external key, API key, id or record id', () => {
    const wanted = { acme: 'Acme Inc.', 'secret-2': 'Other', [NAMELESS.id]: 'شركة', '4': 'Four' }
    expect(names(wanted)).toEqual(['Acme Inc.', 'Other', 'شركة', 'Four'])
  })

  it('stay different, also if keys repeat or equal the name of another: the oldest keeps the key', () => {
    const all = [tenant(1, 'acme'), tenant(7, 'acme'), tenant(9, 'shop')]
    expect(names({}, all, all)).toEqual(['acme', 'acme (7)', 'shop'])
    expect(names({}, all.toReversed(), all)).toEqual(['shop', 'acme (7)', 'acme'])
    expect(names({ shop: 'acme' }, all, all)).toEqual(['acme (1)', 'acme (7)', 'acme'])
  })

  it('of tenants that this service does not serve may stand in the table', () => {
    expect(names({ acme: 'A', 'other, inc': 'B' }, [OTHER])).toEqual(['B'])
  })

  it('of unknown tenants, twice for one tenant and one for two tenants are refused', () => {
    expect(problems({ nobody: 'X' })).toEqual([
      `connector.tenant_names: no tenant "nobody"; there are "acme", "other, inc", "${NAMELESS.id}", " "`,
    ])
    expect(problems({ acme: 'X', '1': 'Y' })).toEqual(['connector.tenant_names: "acme" is a tenant that has a name already'])
    expect(problems({ acme: 'X', 'other, inc': 'X' }, [ACME])).toEqual(['connector.tenant_names: two tenants have the name "X"'])
  })
})
