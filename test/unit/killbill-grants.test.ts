import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { killbillGrants } from '../../connectors/killbill/grants.ts'
import { REQUIRED_COLUMNS } from '../../connectors/killbill/required-schema.ts'
import { passwordStep } from '../../src/core/grant-request.ts'
import { packageRoot } from '../../src/core/package-root.ts'

const READER = { user: 'plumbline_reader', database: 'killbill', schema: 'public', tables: [] } as const

describe('grants', () => {
  it('are those of the guide', () => {
    const guide = readFileSync(join(packageRoot(), 'docs', 'own-replica.md'), 'utf8')
    const [, shown = ''] = /```sql\n([\s\S]*?)```/.exec(guide) ?? []
    const printed = killbillGrants({ ...READER, dialect: 'postgres' }).map((statement) => `${statement};`)
    const step = passwordStep({ ...READER, dialect: 'postgres' })
    expect([...printed, step].join('\n')).toBe(shown.trim().replaceAll(/\n {2}/g, ' '))
  })

  it('cover every table that the relations need, on both dialects', () => {
    for (const dialect of ['postgres', 'mysql'] as const) {
      const text = killbillGrants({ ...READER, dialect }).join('\n')
      const missing = Object.keys(REQUIRED_COLUMNS).filter((table) => !new RegExp(`[ .]${table}\\b`).test(text))
      expect(missing).toEqual([])
    }
  })

  it('quote names that are not plain', () => {
    const named = { user: `o'ne"\\`, database: 'my`shop', schema: 'Kill "Bill"', tables: ['tags'] }
    expect(killbillGrants({ ...named, dialect: 'postgres' })).toEqual([`grant select on "Kill ""Bill""".tags to "o'ne""\\"`])
    expect(killbillGrants({ ...named, dialect: 'mysql' })).toEqual([`grant select on \`my\`\`shop\`.tags to 'o''ne"\\\\'@'%'`])
  })

  it('contain no password that a program would take literally', () => {
    const postgres = killbillGrants({ ...READER, user: `o'ne"`, dialect: 'postgres' })
    expect(postgres[0]).toBe(`create role "o'ne""" login`)
    expect(passwordStep({ dialect: 'postgres', user: `o'ne"` })).toBe(`\\password "o'ne"""`)
    expect(killbillGrants({ ...READER, dialect: 'mysql' })[0]).toBe(`create user plumbline_reader@'%' account lock`)
    for (const dialect of ['postgres', 'mysql'] as const)
      expect(killbillGrants({ ...READER, dialect }).filter((text) => /password|identified/.test(text))).toEqual([])
  })

  it('of tables that are not read are refused, all at once', () => {
    expect(() => killbillGrants({ ...READER, dialect: 'mysql', tables: ['account', 'users'] })).toThrow(
      expect.objectContaining({ code: 'invalid_value', issues: [expect.anything(), expect.anything()] }),
    )
  })
})
