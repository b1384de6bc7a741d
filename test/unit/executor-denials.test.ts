import { describe, expect, it } from 'vitest'
import { readingDenied } from '../../src/databases/denials.ts'

const error = (code: string, message: string, more: object = {}) => Object.assign(new Error(message), { code, ...more })
const POLICY = { routine: 'check_enable_rls' }

describe('tables that a role may not read', () => {
  it.each([
    ['postgres', error('42501', 'permission denied for table accounts'), 'accounts'],
    ['postgres', error('42501', 'keine Berechtigung für Tabelle accounts'), 'accounts'],
    ['postgres', error('42501', 'droit refusé pour la table « accounts »'), 'accounts'],
    ['postgres', error('42501', 'テーブルaccountsへのアクセスが拒否されました'), 'accounts'],
    ['mysql', error('ER_TABLEACCESS_DENIED_ERROR', "SELECT command denied to user 'me'@'host' for table 'accounts'"), 'accounts'],
    ['mysql', error('ER_TABLEACCESS_DENIED_ERROR', "SELECT command denied to user ''@'h' for table `db`.`accounts`"), 'accounts'],
    [
      'mysql',
      error('ER_COLUMNACCESS_DENIED_ERROR', "SELECT command denied to user 'me'@'host' for column 'email' in table 'accounts'"),
      'accounts.email',
    ],
    [
      'mysql',
      error('ER_VIEW_INVALID', "View 'db.accounts' references invalid table(s) or definer lacks rights to use them"),
      'accounts',
    ],
  ])('is named from the words of the server: %s, %s', (dialect, cause, name) => {
    const denied = readingDenied(dialect, cause)
    expect(denied).toMatchObject({ code: 'unsupported_by_connector', context: { missing: [name] } })
    expect(denied?.message).toContain(`may not read ${name};`)
    expect(denied?.message).toContain(`plumbline grants --dialect ${dialect} --user <role> --tables accounts`)
    expect(denied?.message).not.toMatch(/me\b|host/)
  })

  it.each([
    'query would be affected by row-level security policy for table "accounts"',
    'запрос может быть затронут политикой безопасности на уровне строк для таблицы "accounts"',
  ])('because of a policy is told by the routine, whatever the language: %s', (message) => {
    const denied = readingDenied('postgres', error('42501', message, POLICY))
    expect(denied).toMatchObject({ code: 'unsupported_by_connector', context: { row_security: ['accounts'] } })
    expect(denied?.message).toMatch(/hides rows of accounts .* BYPASSRLS/)
  })

  it('is refused too where the words tell no name', () => {
    expect(readingDenied('postgres', error('42501', '…'))?.context).toEqual({})
    expect(readingDenied('mysql', error('ER_TABLEACCESS_DENIED_ERROR', "'a b; drop'"))?.context).toEqual({})
  })

  it('is not every other error', () => {
    expect(readingDenied('postgres', error('42P01', 'relation "accounts" does not exist'))).toBeUndefined()
    expect(readingDenied('mysql', error('ER_NO_SUCH_TABLE', "Table 'db.accounts' doesn't exist"))).toBeUndefined()
    expect(readingDenied('mysql', new Error('lost'))).toBeUndefined()
  })
})
