import { describe, expect, it } from 'vitest'
import { redact } from '../../src/core/addresses.ts'

describe('redact', () => {
  it.each([
    ['postgres://u:p%40ss@db.example.com:5432/kb', 'postgres://u:***@db.example.com:5432/kb'],
    ['mysql://u@db/kb', 'mysql://u@db/kb'],
    ['postgres://db/kb?user=u&password=hush&sslmode=require', 'postgres://db/kb?user=u&password=***&sslmode=require'],
    ['postgres://u:hush@db:notaport/kb', 'postgres:***@db:notaport/kb'],
    ['sqlite:./plumbline-data/store.db', 'sqlite:./plumbline-data/store.db'],
    ['none', 'none'],
  ])('%s is shown as %s', (url, shown) => {
    expect(redact(url)).toBe(shown.replace('postgres:***', 'postgres://***'))
  })
})
