import { describe, expect, it } from 'vitest'
import { mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import { ConfigurationError } from '../../src/core/errors.ts'
import { openExecutor } from '../../src/databases/open.ts'

const open = (url: string) => openExecutor({ url, dialects: { postgres, mysql, trino } })

describe('the address of the billing database', () => {
  it.each([
    'postgres://reader:hunter2@db:port/kb',
    'mysql://reader:hunter2@[::1/kb',
    'postgres://reader:hunter2@:5432:5432/kb',
    'http://reader:hunter2@db/kb',
    'trino://reader:hunter2@db/lake/kb?sslmode=maybe',
    'hunter2',
  ])('%s is refused as a setting, without its password', (url) => {
    expect(() => open(url)).toThrow(ConfigurationError)
    expect(() => open(url)).not.toThrow('hunter2')
  })

  it('takes a token only on Trino', () => {
    const options = { dialects: { postgres, mysql, trino }, trino: { tokenFile: '/run/token' } }
    expect(() => openExecutor({ ...options, url: 'postgres://reader@db/kb' })).toThrow('only a database on Trino takes a token')
    expect(openExecutor({ ...options, url: 'trino://reader@db/lake/kb' }).variant).toBe('trino')
  })
})
