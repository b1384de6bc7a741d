import { describe, expect, it } from 'vitest'
import { withheldText } from '../../connectors/killbill/findings.ts'
import { grantsRemedy } from '../../src/connector-kit/grants.ts'

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
