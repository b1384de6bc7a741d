import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../src/core/errors.ts'
import { refuseOldServer, type ServerProduct, shownVersion } from '../../src/databases/server-version.ts'

type Case = readonly [ServerProduct, string, shown: string]

const SUPPORTED: readonly Case[] = [
  ['PostgreSQL', '12.0', '12.0'],
  ['PostgreSQL', '12.22 (Debian 12.22-1.pgdg120+1)', '12.22'],
  ['PostgreSQL', '15.4', '15.4'],
  ['PostgreSQL', '17beta1', '17beta1'],
  ['PostgreSQL', '17.5 (Ubuntu 17.5-1.pgdg22.04+1)', '17.5'],
  ['MySQL', '8.0.17', '8.0.17'],
  ['MySQL', '8.0.31', '8.0.31'],
  ['MySQL', '8.0.36-28.1', '8.0.36'],
  ['MySQL', '8.0.31-google', '8.0.31'],
  ['MySQL', '8.4.0', '8.4.0'],
  ['MySQL', '9.7.1', '9.7.1'],
  ['MySQL', '8.0.mysql_aurora.3.04.0', '8.0 (Aurora 3.04.0)'],
  ['MySQL', '8.0.mysql_aurora.3.01.1', '8.0 (Aurora 3.01.1)'],
  ['MariaDB', '10.6.0-MariaDB', '10.6.0'],
  ['MariaDB', '10.6.18-MariaDB-log', '10.6.18'],
  ['MariaDB', '10.6.12-8-MariaDB-enterprise-log', '10.6.12'],
  ['MariaDB', '5.5.5-10.11.6-MariaDB-0+deb12u1', '10.11.6'],
  ['MariaDB', '11.4.2-MariaDB-ubu2404', '11.4.2'],
]

const TOO_OLD: readonly Case[] = [
  ['PostgreSQL', '11.22', '11.22'],
  ['PostgreSQL', '11.2-YB-2.19.0.0-b0', '11.2'],
  ['PostgreSQL', '9.6.24', '9.6.24'],
  ['PostgreSQL', '8.0.2', '8.0.2'],
  ['MySQL', '8.0.16', '8.0.16'],
  ['MySQL', '8.0.11-TiDB-v7.5.0', '8.0.11'],
  ['MySQL', '5.7.44-log', '5.7.44'],
  ['MySQL', '5.7.44-48-57', '5.7.44'],
  ['MySQL', '5.7.mysql_aurora.2.11.4', '5.7 (Aurora 2.11.4)'],
  ['MariaDB', '10.5.25-MariaDB', '10.5.25'],
  ['MariaDB', '5.5.5-10.5.8-MariaDB-log', '10.5.8'],
  ['MariaDB', '5.5.68-MariaDB', '5.5.68'],
]

describe('versions of servers', () => {
  it.each(SUPPORTED)('%s %s is supported', (product, text, shown) => {
    expect(() => refuseOldServer(product, text)).not.toThrow()
    expect(shownVersion(text)).toBe(shown)
  })

  it.each(TOO_OLD)('%s %s is refused by name', (product, text, shown) => {
    const oldest = { PostgreSQL: '12', MySQL: '8.0.17', MariaDB: '10.6' }[product]
    const problem = `the billing database runs on ${product} ${shown}, which is not supported; ${product} ${oldest} and later are`
    expect(() => refuseOldServer(product, text)).toThrow(new ConfigurationError([problem]))
  })

  it.each(['', 'unknown', 'v15'])('"%s" is no version, so nothing is assumed', (text) => {
    expect(() => refuseOldServer('MySQL', text)).toThrow(/does not report its version .*; MySQL 8\.0\.17 and later are supported/)
  })
})
