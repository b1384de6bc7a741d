import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { checkSupplied } from '../../src/connector-kit/capabilities.ts'
import type { Capability } from '../../src/connector-kit/connector.ts'

const relationsDirectory = mkdtempSync(join(tmpdir(), 'plumbline-supplied-'))
for (const name of ['customer', 'usage_charge', 'own_helper', 'subscription_span'])
  writeFileSync(join(relationsDirectory, `${name}.sql`), '')
afterAll(() => rmSync(relationsDirectory, { recursive: true }))

const check = (capabilities: Readonly<Record<string, Capability>>, directory = relationsDirectory) =>
  checkSupplied({ type: 'own', relationsDirectory: directory, capabilities })

describe('the files of a connector and its capabilities', () => {
  it('go together in the product', () => {
    expect(() => checkSupplied(createKillbillConnector({ tenant: ['all'], catalog: [] }))).not.toThrow()
    expect(() => check({ customer: 'exact', usage_charge: 'absent', 'customer.email': 'inferred' })).not.toThrow()
  })

  it('a relation that is supplied and not named, and a name of no relation, are refused at once', () => {
    expect(() => check({ customer: 'exact', usage_charges: 'exact' })).toThrow(
      'connector "own": usage_charge.sql exists, but capabilities do not name "usage_charge"; capabilities name "usage_charges", which is not a relation',
    )
  })

  it('a relation that the product derives is not replaced', () => {
    writeFileSync(join(relationsDirectory, 'customer_activity.mysql.sql'), '')
    expect(() => check({ customer: 'exact', usage_charge: 'exact' })).toThrow(
      'customer_activity.sql replaces a relation that only the product derives',
    )
  })
})
