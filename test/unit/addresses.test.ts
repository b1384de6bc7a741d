import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../src/core/errors.ts'
import { addressFindings } from '../../src/databases/addresses/address-findings.ts'
import { postgresClient } from '../../src/databases/addresses/postgres-client.ts'
import { isLocal, isPublic } from '../../src/databases/addresses/public-host.ts'
import { addressProblems, placeOf, serverAddress } from '../../src/databases/addresses/read-address.ts'
import { tlsOptions } from '../../src/databases/addresses/tls-options.ts'

const read = (url: string) => serverAddress(url, 'database.url')
const where = (url: string) => {
  const { host, dialled, socket, port, user, password, database } = read(url)
  return { host, dialled, socket, port, user, password, database }
}
const NONE = { dialled: undefined, socket: undefined, user: undefined, password: undefined, database: undefined }

describe('the forms of an address', () => {
  it.each([
    [
      'postgres://u:p%40%2F%3F%23@db.example.com:5433/kb',
      { host: 'db.example.com', port: 5433, user: 'u', password: 'p@/?#', database: 'kb' },
    ],
    ['postgresql://db', { host: 'db', port: 5432 }],
    ['postgres://u@[::1]/kb', { host: '::1', port: 5432, user: 'u', database: 'kb' }],
    ['mysql://u@[fe80::1]:3307/kb', { host: 'fe80::1', port: 3307, user: 'u', database: 'kb' }],
    [
      'postgres:///kb?host=/var/run/postgresql',
      { host: '/var/run/postgresql', socket: '/var/run/postgresql', port: 5432, database: 'kb' },
    ],
    ['postgres://u@/kb?host=/run&port=5434', { host: '/run', socket: '/run', port: 5434, user: 'u', database: 'kb' }],
    ['postgres://%2Fvar%2Frun/kb', { host: '/var/run', socket: '/var/run', port: 5432, database: 'kb' }],
    ['postgres://db/kb?hostaddr=10.0.0.1', { host: 'db', dialled: '10.0.0.1', port: 5432, database: 'kb' }],
    [
      'postgres:///?dbname=a%20b&user=u&password=p&host=db',
      { host: 'db', port: 5432, database: 'a b', user: 'u', password: 'p' },
    ],
    [
      'mysql://u@localhost/kb?socketPath=/run/mysqld/mysqld.sock',
      { host: 'localhost', socket: '/run/mysqld/mysqld.sock', port: 3306, user: 'u', database: 'kb' },
    ],
    ['mariadb://db/kb?socket=%2Frun%2Fs', { host: 'db', socket: '/run/s', port: 3306, database: 'kb' }],
    ['mysql:///kb', { host: 'localhost', port: 3306, database: 'kb' }],
    [
      'trino://r:p%3A@lake.example.com/Lake/Billing',
      { host: 'lake.example.com', port: 443, user: 'r', password: 'p:', database: 'lake/billing' },
    ],
    ['trino://localhost/lake/billing', { host: 'localhost', port: 8080, database: 'lake/billing' }],
    ['trino://Lake.Example.com./lake/billing', { host: 'Lake.Example.com.', port: 443, database: 'lake/billing' }],
    ['trino://[0:0:0:0:0:0:0:1]/lake/billing', { host: '0:0:0:0:0:0:0:1', port: 8080, database: 'lake/billing' }],
    ['trino://[::1]:8443/lake/billing?sslmode=require', { host: '::1', port: 8443, database: 'lake/billing' }],
  ])('%s', (url, expected) => {
    expect(where(url)).toEqual({ ...NONE, ...expected })
  })

  it.each(['postgres://u:hush@db:99999/kb', 'mysql://u:hush@db:0/kb', 'mariadb://db:65536'])('%s has no such port', (url) => {
    expect(addressProblems(url)).toEqual(['has a port that is not a number from 1 to 65535'])
  })

  it('is named by its place, without user and password', () => {
    const places = [
      'postgres://u:hush@[::1]/kb',
      'mysql://db/kb',
      'postgres:///kb?host=/run',
      'postgres://db/kb?hostaddr=10.0.0.1',
    ]
    expect(places.map((url) => placeOf(read(url)))).toEqual([
      '[::1] port 5432',
      'db port 3306',
      'socket /run',
      'db port 5432 (10.0.0.1)',
    ])
  })

  it.each([
    'postgres://u:hush@one,two/kb',
    'postgres://u:hush@one:5432,two:5433/kb',
    'postgres:///kb?host=one,two&password=hush',
    'postgres://u:hu/sh@db/kb',
    'postgres://u:12#hush@db/kb',
    'mysql://u:12?hush@db/kb',
    'mysql://u:hush%@db/kb',
    'postgres://db/kb?password=hush%',
  ])('%s is refused without its password', (url) => {
    const problems = addressProblems(url)
    expect(problems).not.toEqual([])
    expect(problems.join()).not.toMatch(/hush|hu|sh@/)
  })
})

describe('parameters', () => {
  it.each([
    ['postgres', 'sslmod=require', 'has the unknown parameter sslmod, did you mean sslmode? Known: host, hostaddr, '],
    ['postgres', 'ssl-mode=REQUIRED', 'has the unknown parameter ssl-mode, did you mean sslmode?'],
    ['postgres', 'statement_timeout=1', 'has the unknown parameter statement_timeout'],
    [
      'postgres',
      'sslmode=no-verify',
      'has a parameter sslmode that is not one of disable, allow, prefer, require, verify-ca, verify-full',
    ],
    ['postgres', 'sslmode=verify-full', 'has sslmode=verify-full without sslrootcert'],
    ['postgres', 'sslmode=require&sslrootcert=system', 'need sslmode=verify-full'],
    ['postgres', 'sslcert=/c', 'needs sslcert and sslkey together'],
    ['postgres', 'sslnegotiation=direct', 'has sslnegotiation=direct with sslmode=prefer'],
    ['postgres', 'target_session_attrs=standby', 'has a parameter target_session_attrs that is not one of any'],
    ['postgres', 'channel_binding=require', 'has a parameter channel_binding that is not one of disable, prefer'],
    ['postgres', 'sslmode=require&sslmode=disable', 'has the parameter sslmode twice'],
    ['postgres', 'connect_timeout=soon', 'has a parameter connect_timeout that is not a whole number from 1 to 86400'],
    ['mysql', 'ssl={"rejectUnauthorized":false}', 'has a parameter ssl in JSON'],
    [
      'mysql',
      'ssl-mode=no',
      'has a parameter ssl-mode that is not one of DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY',
    ],
    ['mysql', 'ssl-mode=VERIFY_CA', 'has ssl-mode=VERIFY_CA without ssl-ca'],
    ['mysql', 'ssl-mode=DISABLED&ssl=true', 'has ssl-mode, which says all, and ssl'],
    ['mysql', 'rowsAsArray=true', 'has the unknown parameter rowsAsArray'],
    ['mysql', 'multipleStatements=true', 'has the unknown parameter multipleStatements'],
    ['mysql', 'decimalNumbers=true', 'has the unknown parameter decimalNumbers'],
    ['mysql', 'timezone=local', 'has the unknown parameter timezone'],
    ['mysql', 'charset=latin1', 'has a parameter charset that is not one of utf8mb4'],
    ['mysql', 'tls-version=TLSv1.1,TLSv1.3', 'has a parameter tls-version that is not a list without gaps'],
    ['trino', 'sslmode=prefer', 'has a parameter sslmode that is not one of disable, require, verify-ca, verify-full'],
    ['trino', 'SSL=true', 'has the unknown parameter SSL'],
    ['trino', 'sslmode=verify-ca', 'has sslmode=verify-ca without sslrootcert'],
    ['trino', 'sslmode=verify-ca&sslrootcert=system', 'need sslmode=verify-full'],
    ['trino', 'sslcert=/c', 'needs sslcert and sslkey together'],
    ['trino', 'sslmode=disable', 'would send the password in clear text (sslmode=disable)'],
    ['mysql', 'ssl_mode=REQUIRED&ssl-mode=REQUIRED', 'has the parameter ssl-mode twice'],
  ])('%s: %s is refused by name', (scheme, query, problem) => {
    const path = scheme === 'trino' ? 'lake/kb' : 'kb'
    expect(addressProblems(`${scheme}://u:hush@db/${path}?${query}`)).toEqual([expect.stringContaining(problem)])
  })

  it.each([
    ['postgres://db/kb', 'if_offered', 'nothing'],
    ['postgres://db/kb?sslmode=disable', 'never', 'nothing'],
    ['postgres://db/kb?sslmode=allow', 'if_refused', 'nothing'],
    ['postgres://db/kb?sslmode=require', 'always', 'nothing'],
    ['postgres://db/kb?ssl=true', 'always', 'nothing'],
    ['postgres://db/kb?sslmode=require&sslrootcert=/ca', 'always', 'issuer'],
    ['postgres://db/kb?sslmode=verify-ca&sslrootcert=/ca', 'always', 'issuer'],
    ['postgres://db/kb?sslmode=verify-full&sslrootcert=/ca', 'always', 'name'],
    ['postgres://db/kb?sslrootcert=system', 'always', 'name'],
    ['postgres:///kb?host=/run&sslmode=require', 'never', 'nothing'],
    ['mysql://db/kb', 'if_offered', 'nothing'],
    ['mysql://db/kb?sslMode=disabled', 'never', 'nothing'],
    ['mysql://db/kb?ssl_mode=verify-ca&ssl_ca=/ca', 'always', 'issuer'],
    ['mysql://db/kb?ssl-ca=/ca', 'always', 'issuer'],
    ['mysql://db/kb?ssl-mode=VERIFY_IDENTITY&ssl-ca=/ca', 'always', 'name'],
    ['mariadb://db/kb?ssl=1', 'always', 'nothing'],
    ['mariadb://db/kb?ssl-verify-server-cert=on', 'always', 'name'],
    ['mysql://db/kb?socket=/run/s', 'never', 'nothing'],
    ['mysql://db/kb?socket=/run/s&ssl-mode=REQUIRED', 'always', 'nothing'],
    ['trino://db/lake/kb', 'always', 'name'],
    ['trino://u@db/lake/kb?sslmode=disable', 'never', 'nothing'],
    ['trino://u:p@127.0.0.1/lake/kb', 'never', 'nothing'],
    ['trino://localhost/lake/kb?sslrootcert=/ca', 'always', 'name'],
    ['trino://db/lake/kb?sslmode=require', 'always', 'nothing'],
    ['trino://db/lake/kb?sslmode=require&sslrootcert=/ca', 'always', 'issuer'],
    ['trino://db/lake/kb?sslmode=verify-ca&sslrootcert=/ca', 'always', 'issuer'],
  ])('%s demands TLS %s and proof of %s', (url, demand, proof) => {
    expect(read(url).tls).toMatchObject({ demand, proof })
  })

  it.each([
    ['trino://db', 'does not name a catalog and a schema'],
    ['trino://db/lake/', 'does not name a catalog and a schema'],
    ['trino://db/lake/billing/accounts', 'does not name a catalog and a schema'],
    ['trino://db/lake/bill%0Aing', 'does not name a catalog and a schema'],
    ['trino://a%3Ab@db/lake/billing', 'has a user name with a blank, a colon'],
    ['trino://%C3%A9@db/lake/billing', 'has a user name with a blank, a colon'],
    ['trino://:hush@db/lake/billing', 'has a password and no user name'],
    ...[
      'evil.com%2F.localhost',
      'evil.com%3F.localhost',
      'evil.com%23.localhost',
      'evil.com%5C.localhost',
      'localhost%40evil.com',
      'evil.com%3A80%2F.localhost',
      'evil.com%09.localhost',
      'evil.com%E3%80%82localhost',
      '127.1',
      '0x7f000001',
      '[fe80::1%2511]',
    ].map((host) => [`trino://u:hush@${host}/lake/billing`, 'has a host that is no plain name or IP address']),
  ])('%s is refused', (url, problem) => {
    expect(addressProblems(url)).toEqual([expect.stringContaining(problem)])
    expect(addressProblems(url).join()).not.toContain('hush')
  })

  it('without certificates in the address, Trino is verified by the authorities of this machine', () => {
    expect(read('trino://db/lake/kb').tls.authorities).toBe('system')
    expect(read('trino://db/lake/kb?sslmode=require').tls.authorities).toBeUndefined()
  })

  it('a host that is a number has no name to verify', () => {
    const query = 'ssl-mode=VERIFY_IDENTITY&ssl-ca=/ca'
    expect(addressProblems(`mysql://10.0.0.1/kb?${query}`)).toEqual([expect.stringContaining('a host that is a number')])
    expect(addressProblems(`mysql://[::1]/kb?${query}`)).toHaveLength(1)
  })
})

describe('files of certificates', () => {
  it('that cannot be read, or hold none, are named with their parameter and setting', () => {
    const missing = read('postgres://db/kb?sslmode=verify-ca&sslrootcert=/no/such/ca.crt')
    expect(() => tlsOptions(missing, 'store.url')).toThrow('store.url: sslrootcert: /no/such/ca.crt cannot be read (ENOENT)')
    const other = read(`mysql://db/kb?ssl-ca=${encodeURIComponent(import.meta.filename)}`)
    expect(() => tlsOptions(other, 'database.url')).toThrow('holds no certificate in PEM')
    const both = read(`mysql://db/kb?ssl-mode=REQUIRED&ssl-cert=${encodeURIComponent(import.meta.filename)}`)
    expect(() => tlsOptions(both, 'database.url')).toThrow(ConfigurationError)
    expect(() => tlsOptions(both, 'database.url')).toThrow('cannot be used together')
  })

  it('the driver of PostgreSQL is left no say in TLS', () => {
    expect(postgresClient(read('postgres://db/kb?sslmode=disable'), 'database.url')).toMatchObject({ ssl: false, host: 'db' })
    expect(postgresClient(read('postgres://db/kb'), 'database.url')).toMatchObject({ ssl: false, stream: expect.any(Function) })
  })
})

describe('a public host', () => {
  it.each([
    'db',
    'localhost',
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    'db.internal',
    'mysql.default.svc',
    'db.svc.cluster.local',
  ])('%s is none', (host) => {
    expect(isPublic(read(`postgres://u@${host}/kb`))).toBe(false)
  })
  it.each([
    'db.example.com',
    'kb.abc.eu-central-1.rds.amazonaws.com',
    '8.8.8.8',
    '172.32.0.1',
    '[2001:db8::1]',
    'db.example.com.',
  ])('%s is one', (host) => {
    expect(isPublic(read(`mysql://u@${host}/kb`))).toBe(true)
  })

  it('is told apart from this machine, and from a socket', () => {
    const local = ['localhost', '127.1.2.3', '[::1]', '10.0.0.1', 'db'].map((host) => isLocal(read(`mysql://u@${host}/kb`)))
    expect(local).toEqual([true, true, true, false, false])
    expect(isPublic(read('postgres://db.example.com/kb?host=/run'))).toBe(false)
  })

  it('without TLS is a warning that names setting, mode and remedy', () => {
    const at = (url: string) =>
      addressFindings([{ setting: 'store.url', url, source: 'PLUMBLINE_STORE_URL', filledIn: ['sslmode from PGSSLMODE'] }])
    expect(at('postgres://u:hush@db.example.com/side?sslmode=disable')).toEqual([
      {
        name: 'address',
        level: 'ok',
        message: 'store.url from PLUMBLINE_STORE_URL: db.example.com port 5432, sslmode=disable, sslmode from PGSSLMODE',
      },
      {
        name: 'address',
        level: 'warning',
        message:
          'store.url: the connection to the public host db.example.com is not encrypted (sslmode=disable); write sslmode=verify-full and sslrootcert into the address',
      },
    ])
    expect(at('mysql://db.example.com/side')[1]?.message).toContain(
      'is only encrypted if nobody in between prevents it (ssl-mode=PREFERRED)',
    )
    for (const url of ['postgres://db.example.com/side?sslmode=require', 'postgres://db/side', 'mysql://10.0.0.1/side'])
      expect(at(url).map(({ level }) => level)).toEqual(['ok'])
    expect(at('sqlite:side.db')).toEqual([])
  })
})
