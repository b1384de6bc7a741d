import { describe, expect, it } from 'vitest'
import { withheldText } from '../../connectors/killbill/findings.ts'
import { grantsRemedy } from '../../src/connector-kit/grants.ts'
import { createRoleCheck } from '../../src/execution/session/role-check.ts'

describe('rights that are missing', () => {
  const tables = ['accounts', 'invoices']

  it('are given by grants', () => {
    const remedy = grantsRemedy({ dialect: 'mysql', tables, user: 'reader', database: 'kb' })
    expect(remedy).toBe(
      '`plumbline grants --dialect mysql --user reader --database kb --tables accounts,invoices` prints the missing grants',
    )
  })

  it('are given by the access control on Trino, for which no grants can be printed', () => {
    const remedy = 'the access control of Trino has to allow its user to select from accounts, invoices'
    expect(grantsRemedy({ dialect: 'trino', tables, user: 'reader', database: 'lake' })).toBe(remedy)
    const rates = withheldText('trino', ['analytics_currency_conversion'])
    expect(rates).toContain('the access control of Trino has to allow its user to select from analytics_currency_conversion')
    expect(rates).not.toContain('plumbline grants')
  })
})

it('a server that tells no rights is asked about the tables of the engine', async () => {
  const asked: unknown[] = []
  const writePrivileges = async (tables?: readonly string[]) => {
    asked.push(tables)
    return ['INSERT on table accounts']
  }
  const executor = { writePrivileges }
  const connector = { levelTables: ['accounts'] }
  const deps = { executor, connector, replica: { require_read_only: true } } as unknown as Parameters<typeof createRoleCheck>[0]
  await expect(createRoleCheck(deps)()).rejects.toMatchObject({ message: expect.stringContaining('INSERT on table accounts') })
  expect(asked).toEqual([['accounts']])
})
