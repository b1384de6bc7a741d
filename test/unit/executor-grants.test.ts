import { describe, expect, it } from 'vitest'
import { writeGrants } from '../../src/databases/mysql/privileges.ts'

describe('write privileges in SHOW GRANTS', () => {
  it.each([
    ["GRANT USAGE ON *.* TO `reader`@`%` IDENTIFIED BY PASSWORD '*23AE'", []],
    ['GRANT SELECT, SHOW VIEW ON `shop`.* TO `reader`@`%`', []],
    ['GRANT PROCESS, REPLICATION CLIENT ON *.* TO `reader`@`%`', []],
    ['GRANT SELECT, INSERT, UPDATE ON `shop`.* TO `writer`@`%`', ['INSERT, UPDATE on shop.*']],
    ['GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION', ['ALL PRIVILEGES, GRANT OPTION on *.*']],
    ['GRANT SELECT (id), UPDATE (id, name) ON `shop`.`account` TO `u`@`%`', ['UPDATE (id, name) on shop.account']],
    ['GRANT SELECT, SUPER ON *.* TO `u`@`%`', ['SUPER on *.*']],
    ['GRANT INSERT ON `other`.* TO `u`@`%`', []],
    ['GRANT INSERT ON `sh%`.* TO `u`@`%`', ['INSERT on sh%.*']],
    ['GRANT INSERT ON `s\\_op`.* TO `u`@`%`', []],
    ['GRANT `role`@`%` TO `u`@`%`', []],
  ])('%s', (line, expected) => {
    expect(writeGrants([line], 'shop')).toEqual(expected)
  })

  it('takes an escaped underscore literally', () => {
    expect(writeGrants(['GRANT DROP ON `kill\\_bill`.* TO `u`@`%`'], 'kill_bill')).toEqual(['DROP on kill\\_bill.*'])
    expect(writeGrants(['GRANT DROP ON `kill\\_bill`.* TO `u`@`%`'], 'killxbill')).toEqual([])
  })
})
