import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ConfigInputs, loadConfig, loadStoreConfig } from '../../src/app/config/config.ts'
import { setOptionsSchema } from '../../src/core/definitions.ts'
import { ConfigurationError } from '../../src/core/errors.ts'

let root: string
let cwd: string
let home: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbline-config-'))
  cwd = join(root, 'work')
  home = join(root, 'home')
  mkdirSync(cwd)
  mkdirSync(home)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const URL_ONLY = '[database]\nurl = "postgres://u@db/kb"\n'

function load(inputs: Partial<ConfigInputs> = {}) {
  return loadConfig({ environment: {}, cwd, home, ...inputs })
}

function problems(inputs: Partial<ConfigInputs> = {}): readonly string[] {
  try {
    load(inputs)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  throw new Error('expected a ConfigurationError')
}

describe('defaults', () => {
  it('are those of the contract', () => {
    expect(load({ environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb' } })).toEqual({
      file: null,
      addresses: {
        database: { source: 'PLUMBLINE_DATABASE_URL', filledIn: [] },
        store: { source: undefined, filledIn: [] },
      },
      userCache: join(home, '.cache', 'plumbline'),
      database: { url: 'postgres://u@db/kb' },
      connector: { type: 'killbill', cancel_reason_field: 'cancel_reason' },
      mail: {},
      slack: {},
      share: { hosts: [], embed_origins: [] },
      setup: { done: [] },
      store: { url: `sqlite:${join(cwd, 'plumbline-data', 'store.db')}`, schema: 'plumbline', colocated: false },
      fx: { ecb_url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip' },
      definitions: {
        mrr_usage: 'mean3',
        allow_unpriced: false,
        test_accounts: 'exclude',
        derive_fixed_term_end: true,
        pause: 'churn',
        quantity: 'agreed',
        billing_periods: 'all',
        grain: 'subscription',
        swap_window: 0,
        reactivation_window: 'none',
        time_zone: 'UTC',
        fx: 'span_start',
        nrr_reactivation: 'exclude',
        tax: 'include',
        refunds: 'ignore',
        lifetime: false,
        spread: 'day',
        one_off: 'at_once',
        unbilled: 'accrue',
        revenue_kinds: 'all',
        net_terms: 0,
        buckets: '30,60,90',
        receivables_rate: 'issued',
        recovery_window: 30,
        sets: {},
      },
      server: {
        host: '127.0.0.1',
        port: 8000,
        hosts: [],
        allow_open: false,
        cors_origins: [],
        base_path: '',
        max_connections: 1000,
      },
      ledger: {},
      limits: {
        statement_timeout_ms: 30_000,
        pool_size: 4,
        queue_size: 200,
        queue_ms: 5_000,
        session_memory_mb: 128,
        max_rows: 250_000,
        max_csv_bytes: 52_428_800,
        attribute_keys: 1_000,
        issues: 100,
      },
      replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
      auth: { enabled: false, oidc_scope_claim: 'plumbline_scope', oidc_default_scopes: ['read'], audit_days: 400 },
      cache: { mode: 'auto', memory_mb: 1024 },
      lake: {
        scan_limit_gb: 100,
        parallel: 4,
        keep: 2,
        max_skew_seconds: 900,
        step_timeout_seconds: 3_600,
        fault_tolerant: false,
        copied_by: 'plain',
        tables: {},
        look_every_seconds: 10,
        straight: false,
      },
      log: { level: 'info' },
      quickbooks: { environment: 'production', sync_minutes: 60, allow_unsigned: false },
      clock: {},
    })
  })
})

describe('the file', () => {
  it('is looked for in the directories above, the nearest first, and at home last', () => {
    const deep = join(cwd, 'a', 'b')
    mkdirSync(deep, { recursive: true })
    writeFileSync(join(home, 'plumbline.toml'), `${URL_ONLY}[server]\nport = 1\n`)
    expect(load({ cwd: deep }).server.port).toBe(1)
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[server]\nport = 2\n`)
    expect(load({ cwd: deep })).toMatchObject({ server: { port: 2 }, store: { url: `sqlite:${cwd}/plumbline-data/store.db` } })
    writeFileSync(join(cwd, 'a', 'plumbline.toml'), URL_ONLY)
    expect(load({ cwd: deep }).server.port).toBe(8000)
    expect(() => load({ cwd: deep, config: null })).toThrow('is required')
    for (const file of [join(home, 'plumbline.toml'), join(cwd, 'plumbline.toml'), join(cwd, 'a', 'plumbline.toml')]) rmSync(file)
  })

  it('above the working directory is not one that others may have put there, unless it is named', () => {
    const path = join(cwd, 'plumbline.toml')
    const below = join(cwd, 'below')
    mkdirSync(below, { recursive: true })
    writeFileSync(path, `${URL_ONLY}[server]\nport = 3\n`)
    chmodSync(path, 0o666)
    const refused = [`${path} is writable by everyone, so it is not used; if you trust it, name it with --config ${path}`]
    expect(problems({ cwd: below })).toEqual(refused)
    expect(load({ cwd: below, config: path }).server.port).toBe(3)
    expect(load().server.port).toBe(3)
    chmodSync(path, 0o644)
    expect(load({ cwd: below }).server.port).toBe(3)
    if (process.getuid?.() === 0) {
      chownSync(path, 4_321, 4_321)
      expect(problems({ cwd: below })).toEqual([expect.stringMatching(/belongs to another user, so it is not used/)])
      expect(load({ cwd: below, config: path }).server.port).toBe(3)
    }
    rmSync(path)
  })

  it('where there is none, every place is named, and what to run', () => {
    const text = problems({ cwd: join(cwd, 'x') }).join('\n')
    expect(text).toContain(`there is no plumbline.toml in ${join(cwd, 'x')}, ${cwd}, `)
    expect(text).toContain(`, ${home}; `)
    expect(text).toContain('`plumbline init postgres://')
    expect(text).toContain('`plumbline --demo summary`')
    writeFileSync(join(cwd, 'plumbline.toml'), '[server]\nport = 2\n')
    expect(problems().join('\n')).toContain(`${join(cwd, 'plumbline.toml')} has no url in its section [database]`)
    rmSync(join(cwd, 'plumbline.toml'))
  })

  it('is the named one, else that of the working directory, else that at home; never a mixture', () => {
    writeFileSync(join(home, 'plumbline.toml'), `${URL_ONLY}[server]\nhost = "home"\nport = 1\n`)
    expect(load()).toMatchObject({ file: join(home, 'plumbline.toml'), server: { host: 'home', port: 1 } })
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[server]\nhost = "work"\n`)
    expect(load()).toMatchObject({ file: join(cwd, 'plumbline.toml'), server: { host: 'work', port: 8000 } })
    writeFileSync(join(root, 'named.toml'), `${URL_ONLY}[server]\nport = 2\n`)
    expect(load({ config: '../named.toml' })).toMatchObject({
      file: join(root, 'named.toml'),
      server: { host: '127.0.0.1', port: 2 },
    })
  })

  it('must exist when it is named', () => {
    writeFileSync(join(cwd, 'plumbline.toml'), URL_ONLY)
    expect(problems({ config: 'gone.toml' })).toEqual([`${join(cwd, 'gone.toml')}: file not found`])
  })

  it('must be readable and TOML, and is not quoted in the complaint', () => {
    mkdirSync(join(cwd, 'plumbline.toml'))
    expect(problems()).toEqual([`${join(cwd, 'plumbline.toml')}: cannot be read (EISDIR)`])
    writeFileSync(join(root, 'bad.toml'), '[database]\nurl = "postgres://u:hush@db/kb\n')
    const [problem = ''] = problems({ config: '../bad.toml' })
    expect(problem).toMatch(/bad\.toml: line 2, column \d+: /)
    expect(problem).not.toContain('hush')
  })

  it('gives every kind of value its own type', () => {
    const file = [
      '[database]',
      'url = "mysql://u@db/kb"',
      'schema = "kb"',
      '[connector]',
      'tenant = ["a", "b"]',
      'catalog = ["catalog.xml", "https://x.test/c.xml", "/etc/c.xml"]',
      '[server]',
      'cors_origins = ["https://app.test", "http://localhost:3000"]',
      '[replica]',
      'require_read_only = true',
      '[clock]',
      'now = 2025-03-31T12:00:00+02:00',
    ]
    writeFileSync(join(cwd, 'plumbline.toml'), file.join('\n'))
    expect(load()).toMatchObject({
      database: { url: 'mysql://u@db/kb', schema: 'kb' },
      connector: { tenant: ['a', 'b'], catalog: [join(cwd, 'catalog.xml'), 'https://x.test/c.xml', '/etc/c.xml'] },
      server: { cors_origins: ['https://app.test', 'http://localhost:3000'] },
      replica: { require_read_only: true },
      clock: { now: new Date('2025-03-31T10:00:00Z') },
    })
  })

  it('takes mariadb:// for a billing database and for a store', () => {
    const urls = { PLUMBLINE_DATABASE_URL: 'mariadb://u@db/kb', PLUMBLINE_STORE_URL: 'mariadb://u@db/side' }
    expect(load({ environment: urls })).toMatchObject({
      database: { url: 'mariadb://u@db/kb' },
      store: { url: 'mariadb://u@db/side' },
    })
    const others = { PLUMBLINE_DATABASE_URL: 'oracle://db/kb', PLUMBLINE_STORE_URL: 'mariadb:side' }
    expect(problems({ environment: others })).toEqual([
      expect.stringMatching(/^database\.url .* must be postgres:.*, mysql:.*, mariadb:/),
      expect.stringMatching(/^store\.url .* must be postgres:.*, mysql:.*, mariadb:/),
    ])
  })

  it('takes a path that comes before all others, however it ends, and no other text', () => {
    const at = (text: string) => ({
      environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_SERVER_BASE_PATH: text },
    })
    const taken = ['/plumbline', '/plumbline/', '/a/b.c~1', '/'].map((text) => load(at(text)).server.base_path)
    expect(taken).toEqual(['/plumbline', '/plumbline', '/a/b.c~1', ''])
    for (const text of ['plumbline', '//host', '/a//b', '/a/../b', '/"><script>', '/a?b', '/%2e'])
      expect(problems(at(text)), text).toEqual([
        'server.base_path (from PLUMBLINE_SERVER_BASE_PATH): must be a path such as /plumbline, of letters, digits and _ . ~ -',
      ])
  })

  it('takes the name of a time zone, also in a definition set, and no other text', () => {
    const at = (text: string) => ({
      environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_DEFINITIONS_TIME_ZONE: text },
    })
    expect(load(at('America/New_York')).definitions.time_zone).toBe('America/New_York')
    for (const text of ['Mars/Olympus', 'New York', '+05:30'])
      expect(problems(at(text)), text).toEqual([
        'definitions.time_zone (from PLUMBLINE_DEFINITIONS_TIME_ZONE): the name of a time zone of the IANA database, such as America/New_York',
      ])
    expect(setOptionsSchema.safeParse({ time_zone: 'Asia/Kolkata' }).success).toBe(true)
    expect(setOptionsSchema.safeParse({ time_zone: 'Asia/Calcuta' }).success).toBe(false)
  })

  it('takes a swap window in whole minutes up to a week', () => {
    const at = (text: string) => ({
      environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_DEFINITIONS_SWAP_WINDOW: text },
    })
    expect(load(at('10080')).definitions.swap_window).toBe(10_080)
    for (const text of ['10081', '-1', '1.5'])
      expect(problems(at(text)), text).toEqual([
        'definitions.swap_window (from PLUMBLINE_DEFINITIONS_SWAP_WINDOW): a whole number of minutes from 0 to 10080',
      ])
  })

  it.each([
    ['spread', ['day', 'month'], ['week'], 'Invalid option: expected one of "day"|"month"'],
    ['unbilled', ['accrue', 'on_invoice'], ['later'], 'Invalid option: expected one of "accrue"|"on_invoice"'],
    [
      'revenue_kinds',
      ['all', 'recurring,usage', 'one_off'],
      ['tax', 'usage,usage', 'all,usage', 'usage;fixed'],
      'all, or some of recurring, usage, fixed, one_off, separated by commas',
    ],
    ['net_terms', ['0', '365'], ['366', '-1', '1.5', 'soon'], 'a whole number of days from 0 to 365'],
    ['recovery_window', ['1', '365'], ['0', '366'], 'a whole number of days from 1 to 365'],
    [
      'buckets',
      ['30,60,90', '7'],
      ['60,30', '30,30', '1,2,3,4,5,6,7', '0', '30;60', '9999'],
      'one to 6 growing numbers of days up to 3650, separated by commas, such as 30,60,90',
    ],
  ])('takes the option %s of the ledger, also in a definition set (D98)', (name, good, bad, words) => {
    const at = (text: string) => ({
      environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', [`PLUMBLINE_DEFINITIONS_${name.toUpperCase()}`]: text },
    })
    for (const text of good) expect(String(load(at(text)).definitions[name as 'spread'])).toBe(text)
    for (const text of bad) {
      const [problem = '', ...others] = problems(at(text)) ?? []
      expect(others, text).toEqual([])
      expect(problem, text).toContain(`definitions.${name} (from PLUMBLINE_DEFINITIONS_${name.toUpperCase()}): `)
      expect(problem, text).toContain(words)
    }
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[definitions.sets.books]\n${name} = "wrong"\n`)
    expect(problems().join()).toContain(`definitions.sets.books.${name} (from `)
  })

  it('takes the days after which a month of the ledger is closed (D99)', () => {
    const at = (text: string) => ({
      environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_LEDGER_CLOSE_DAYS: text },
    })
    expect(load(at('5')).ledger.close_days).toBe(5)
    expect(load(at('0')).ledger.close_days).toBe(0)
    for (const text of ['-1', '93', '1.5'])
      expect(problems(at(text)), text).toEqual([
        'ledger.close_days (from PLUMBLINE_LEDGER_CLOSE_DAYS): a whole number of days from 0 to 92',
      ])
  })

  it('takes the origin under which people reach it, and no address in it', () => {
    const at = (text: string) => ({
      environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_SERVER_PUBLIC_ORIGIN: text },
    })
    for (const text of ['https://plumbline.example.com', 'http://[::1]:8000'])
      expect(load(at(text)).server.public_origin).toBe(text)
    for (const text of ['plumbline.example.com', 'https://host/', 'https://host/path', 'ftp://host', 'https://u@host'])
      expect(problems(at(text)), text).toEqual([
        'server.public_origin (from PLUMBLINE_SERVER_PUBLIC_ORIGIN): must be an origin such as https://plumbline.example.com; a path is server.base_path',
      ])
  })

  it('takes one tenant as text', () => {
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[connector]\ntenant = "all"\n`)
    expect(load().connector['tenant']).toEqual(['all'])
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[connector]\ntenant = "acme, inc"\n`)
    expect(load().connector['tenant']).toEqual(['acme, inc'])
    expect(load({ options: { 'connector.tenant': ['other, inc'] } }).connector['tenant']).toEqual(['other, inc'])
  })

  it('names what it does not know, with what it does', () => {
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[limit]\n[limits]\npool_siz = 3\n[server]\ncolour = 1\n`)
    writeFileSync(join(root, 'flat.toml'), `server = 1\n${URL_ONLY}`)
    const path = join(cwd, 'plumbline.toml')
    const sections =
      'database, connector, store, fx, definitions, ledger, mail, slack, share, setup, server, limits, replica, cache, lake, log, auth, quickbooks, clock'
    expect(problems()).toEqual([
      `${path}: unknown section limit; did you mean limits? Known: ${sections}`,
      `${path}: unknown key pool_siz in section limits; did you mean pool_size? Known: statement_timeout_ms, pool_size, queue_size, queue_ms, session_memory_mb, max_rows, max_csv_bytes, attribute_keys, issues`,
      `${path}: unknown key colour in section server. Known: host, port, hosts, allow_open, cors_origins, base_path, public_origin, probe_port, max_connections`,
    ])
    expect(problems({ config: '../flat.toml' })).toEqual([
      `${join(root, 'flat.toml')}: server must be a section, written [server]`,
    ])
  })
})

describe('access of callers', () => {
  const base = { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', AUTH_ENABLED: 'true' }
  const ISSUER = { PLUMBLINE_AUTH_OIDC_ISSUER: 'https://id.example.com/realm', PLUMBLINE_AUTH_OIDC_CLIENT_ID: 'page' }

  it('is a key, or a token of an issuer for an audience or a client', () => {
    expect(load({ environment: base }).auth).toMatchObject({ enabled: true, audit_days: 400 })
    const scopes = { PLUMBLINE_AUTH_OIDC_DEFAULT_SCOPES: 'read:aggregate, write' }
    expect(load({ environment: { ...base, ...ISSUER, ...scopes } }).auth).toMatchObject({
      oidc_issuer: 'https://id.example.com/realm',
      oidc_client_id: 'page',
      oidc_default_scopes: ['read:aggregate', 'write'],
    })
    const local = { ...base, PLUMBLINE_AUTH_OIDC_ISSUER: 'http://127.0.0.1:4000', PLUMBLINE_AUTH_OIDC_AUDIENCE: 'x' }
    expect(load({ environment: local }).auth.oidc_issuer).toBe('http://127.0.0.1:4000')
  })

  it('is not anybody whom an issuer knows', () => {
    const { PLUMBLINE_AUTH_OIDC_ISSUER } = ISSUER
    expect(problems({ environment: { ...base, PLUMBLINE_AUTH_OIDC_ISSUER } })).toEqual([
      'auth.oidc_issuer (from PLUMBLINE_AUTH_OIDC_ISSUER): needs oidc_audience or oidc_client_id, or tokens for other services would be accepted',
    ])
  })

  it.each([
    'http://id.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com/',
    'https://user:hush@id.example.com',
    'https://id.example.com?x=hush',
    'https://id.example.com#hush',
    'id.example.com',
    'https://',
  ])('is not known by an issuer such as %s', (issuer) => {
    const [problem, ...rest] = problems({ environment: { ...base, ...ISSUER, PLUMBLINE_AUTH_OIDC_ISSUER: issuer } })
    expect(problem).toMatch(/^auth\.oidc_issuer \(from PLUMBLINE_AUTH_OIDC_ISSUER\): must be https:/)
    expect(problem).not.toContain('hush')
    expect(rest).toEqual([])
  })

  it('has scopes that there are, and a store to keep keys in', () => {
    expect(problems({ environment: { ...base, ...ISSUER, PLUMBLINE_AUTH_OIDC_DEFAULT_SCOPES: 'read,root' } })).toEqual([
      'auth.oidc_default_scopes (from PLUMBLINE_AUTH_OIDC_DEFAULT_SCOPES): item 2 must be of read:aggregate, read, write, admin',
    ])
    expect(problems({ environment: { ...base, PLUMBLINE_STORE_URL: 'none' } })).toEqual([
      'auth.enabled: needs a side store for API keys and the audit log, but store.url is none',
    ])
  })
})

describe('precedence', () => {
  it('is option, environment, file, default, key by key', () => {
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[server]\nhost = "file"\nport = 1\n[limits]\nmax_rows = 5\n`)
    const environment = { PLUMBLINE_SERVER_HOST: 'environment', PLUMBLINE_SERVER_PORT: '2' }
    const config = load({ environment, options: { 'server.port': '3', 'server.host': undefined } })
    expect(config.server).toMatchObject({ host: 'environment', port: 3 })
    expect(config.limits).toMatchObject({ max_rows: 5, pool_size: 4 })
  })
})

describe('the environment', () => {
  const base = { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb' }

  it('has its three names of another form, comma-separated lists, and counts empty as absent', () => {
    const environment = {
      ...base,
      AUTH_ENABLED: 'false',
      PLUMBLINE_CONNECTOR: 'other',
      PLUMBLINE_NOW: '2025-03-31T12:00:00Z',
      PLUMBLINE_CONNECTOR_TENANT: 'acme, umbrella ,',
      PLUMBLINE_SERVER_CORS_ORIGINS: '',
      PLUMBLINE_DEFINITIONS_ALLOW_UNPRICED: 'true',
      PATH: '/bin',
    }
    expect(load({ environment })).toMatchObject({
      auth: { enabled: false },
      connector: { type: 'other', tenant: ['acme', 'umbrella'] },
      clock: { now: new Date('2025-03-31T12:00:00Z') },
      server: { cors_origins: [] },
      definitions: { allow_unpriced: true },
    })
  })

  it('has no other names', () => {
    const environment = {
      ...base,
      PLUMBLINE_AUTH_ENABLED: 'false',
      PLUMBLINE_CONNECTOR_TYPE: 'killbill',
      PLUMBLINE_ZZZZZZZZZZZ: '1',
    }
    const [enabled, type, unknown, ...rest] = problems({ environment })
    expect(enabled).toBe('PLUMBLINE_AUTH_ENABLED is not a setting; did you mean AUTH_ENABLED?')
    expect(type).toBe('PLUMBLINE_CONNECTOR_TYPE is not a setting; did you mean PLUMBLINE_CONNECTOR?')
    expect(unknown).toMatch(
      /^PLUMBLINE_ZZZZZZZZZZZ is not a setting\. Known: PLUMBLINE_DATABASE_URL, .*, AUTH_ENABLED, .*, PLUMBLINE_NOW$/,
    )
    expect(rest).toEqual([])
  })
})

describe('settings of the connector', () => {
  it('are known by name: there is none that aligns dates of prices, and two delimiters of overrides', () => {
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[connector]\nalign_price_dates = true\noverride_delimiter = "_"\n`)
    const [unknown, delimiter, ...rest] = [...problems({})].sort(
      (a, b) => Number(b.includes('align')) - Number(a.includes('align')),
    )
    expect(unknown).toContain('unknown key align_price_dates in section connector. Known: ')
    expect(delimiter).toContain('override_delimiter')
    expect(rest).toEqual([])
  })
})

describe('bad values', () => {
  it('are reported all at once, with where they come from and without the values', () => {
    writeFileSync(join(cwd, 'plumbline.toml'), '[database]\nurl = "oracle://u:hush@db"\n[limits]\npool_size = "4"\n[colours]\n')
    const environment = {
      PLUMBLINE_STORE_URL: 'hush',
      PLUMBLINE_LIMITS_MAX_ROWS: '-3',
      PLUMBLINE_SERVER_CORS_ORIGINS: 'https://ok.test,https://not.test/path',
      PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'usd',
      PLUMBLINE_REPLICA_REQUIRE_READ_ONLY: 'yes',
      PLUMBLINE_NOW: '2025-03-31',
      PLUMBLINE_LIMIT_POOL_SIZE: '4',
      AUTH_ENABLED: 'true',
      PLUMBLINE_STORE_COLOCATED: 'true',
    }
    const found = problems({ environment, options: { 'server.port': '80000' } })
    const starts = [
      `${join(cwd, 'plumbline.toml')}: unknown section colours`,
      'PLUMBLINE_LIMIT_POOL_SIZE is not a setting; did you mean PLUMBLINE_LIMITS_POOL_SIZE',
      `database.url (from ${join(cwd, 'plumbline.toml')}): must be postgres://`,
      'store.url (from PLUMBLINE_STORE_URL): must be postgres://',
      'definitions.base_currency (from PLUMBLINE_DEFINITIONS_BASE_CURRENCY): three capital letters',
      'server.port (from --port): ',
      'server.cors_origins (from PLUMBLINE_SERVER_CORS_ORIGINS): item 2 must be origins',
      `limits.pool_size (from ${join(cwd, 'plumbline.toml')}): `,
      'limits.max_rows (from PLUMBLINE_LIMITS_MAX_ROWS): ',
      'replica.require_read_only (from PLUMBLINE_REPLICA_REQUIRE_READ_ONLY): ',
      'clock.now (from PLUMBLINE_NOW): must be an instant',
    ]
    expect(found.map((problem, index) => problem.slice(0, starts[index]?.length))).toEqual(starts)
    expect(found.join()).not.toContain('hush')
  })

  it.each(['*', 'https://*.example.com', 'https://*', 'ftp://x.test', 'null'])(
    'an origin of pages is one origin: %s',
    (origin) => {
      const [problem] = problems({
        environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_SERVER_CORS_ORIGINS: origin },
      })
      const meaning = origin.includes('*') ? 'item 1 must name each origin in full: a wildcard' : 'item 1 must be origins such as'
      expect(problem).toContain(`server.cors_origins (from PLUMBLINE_SERVER_CORS_ORIGINS): ${meaning}`)
    },
  )

  it.each(['*.example.com', 'x.test:8000', 'http://x.test', 'x.test/', 'a b', ''])('a host is a name alone: "%s"', (host) => {
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[server]\nhosts = ["Plumbline.test", "10.0.0.1", "::1", "${host}"]\n`)
    expect(problems()).toEqual([expect.stringContaining('item 4 must be names or addresses')])
  })

  it('include a missing database, which only the side store can do without', () => {
    expect(problems()).toEqual([
      'database.url (or PLUMBLINE_DATABASE_URL): is required: the address of the billing database',
      expect.stringContaining('there is no plumbline.toml'),
    ])
    expect(loadStoreConfig({ environment: {}, cwd, home: undefined }).database).toEqual({})
  })
})

describe('places', () => {
  it('count from the file, else from the working directory', () => {
    const environment = { PLUMBLINE_DATABASE_URL: 'pglite:kb', PLUMBLINE_STORE_URL: 'sqlite:../side.db' }
    expect(load({ environment })).toMatchObject({
      database: { url: `pglite:${join(cwd, 'kb')}` },
      store: { url: `sqlite:${join(root, 'side.db')}` },
    })
    writeFileSync(join(home, 'plumbline.toml'), '')
    expect(load({ environment }).store.url).toBe(`sqlite:${join(root, 'side.db')}`)
    expect(load({ environment }).database.url).toBe(`pglite:${join(home, 'kb')}`)
  })

  it('must differ, except on PostgreSQL, where the side store has its own schema', () => {
    const both = (url: string) => ({ environment: { PLUMBLINE_DATABASE_URL: url, PLUMBLINE_STORE_URL: url } })
    expect(problems(both('pglite:kb'))).toEqual([expect.stringContaining('store.url: must not be the billing database;')])
    expect(problems(both('mysql://u@db/kb'))).toHaveLength(1)
    const synonyms = { PLUMBLINE_DATABASE_URL: 'mariadb://u@db/kb', PLUMBLINE_STORE_URL: 'mysql://u@db/kb' }
    expect(problems({ environment: synonyms })).toHaveLength(1)
    expect(load(both('postgres://u@db/kb')).store.url).toBe('postgres://u@db/kb')
  })

  it('of a colocated store is one that the billing database can read', () => {
    const given = (database: string, store: string) => ({
      environment: { PLUMBLINE_DATABASE_URL: database, PLUMBLINE_STORE_URL: store, PLUMBLINE_STORE_COLOCATED: 'true' },
    })
    expect(load(given('postgres://reader@replica/kb', 'postgres://writer@primary/kb')).store.colocated).toBe(true)
    expect(load(given('mysql://reader@replica/kb', 'mariadb://writer@primary/side')).store.colocated).toBe(true)
    for (const [database, store] of [
      ['postgres://u@db/kb', 'postgres://u@db/other'],
      ['postgres://u@db/kb', 'mysql://u@db/kb'],
      ['mysql://u@db/kb', 'mysql://u@db/Odd-Name'],
      ['pglite:kb', 'sqlite:side.db'],
      ['postgres://u@db/kb', 'none'],
    ] as const) {
      expect(problems(given(database, store)), store).toEqual([expect.stringMatching(/^store\.colocated: .*(must be|needs)/)])
    }
  })
})

describe('addresses', () => {
  const server = (password: string) => `db://someone:${password}@db.example.com/kb`
  const asUrl = (scheme: string, password: string) => server(password).replace('db:', `${scheme}:`)

  it.each([
    ['a lone %', 'hush%'],
    ['half an escape', 'hush%4'],
    ['no escape', 'hush%zz'],
    ['an escape of no text', 'hush%ff'],
    ['a bracket that ends it', 'hush[/x'],
  ])('%s in a password is named by its setting, never quoted', (_, password) => {
    for (const scheme of ['postgres', 'postgresql', 'mysql', 'mariadb']) {
      const environment = { PLUMBLINE_DATABASE_URL: asUrl(scheme, password), PLUMBLINE_STORE_URL: asUrl(scheme, `1${password}`) }
      const found = problems({ environment })
      expect(found.map((problem) => problem.split(':')[0])).toEqual([
        'database.url (from PLUMBLINE_DATABASE_URL)',
        'store.url (from PLUMBLINE_STORE_URL)',
      ])
      expect(found.join(' ')).toMatch(/%25/)
      expect(found.join(' ')).not.toMatch(/hush|someone|example/)
    }
    const catalog = `https://someone:${password}@catalog.example.com/catalog.xml`
    const found = problems({
      environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_CONNECTOR_CATALOG: catalog },
    })
    expect(found).toEqual([expect.stringMatching(/^connector\.catalog \(from PLUMBLINE_CONNECTOR_CATALOG\): /)])
    expect(found.join(' ')).not.toMatch(/hush|someone|example/)
  })

  it('an escaped text is taken literally', () => {
    const url = asUrl('mysql', 'hush%25%40%2F')
    expect(load({ environment: { PLUMBLINE_DATABASE_URL: url } }).database.url).toBe(url)
  })
})

describe('parts that addresses leave open', () => {
  const base = { PLUMBLINE_DATABASE_URL: 'postgres://db/kb' }

  it('DATABASE_URL names the database where nothing else does, and is said', () => {
    const environment = { DATABASE_URL: 'postgres://u:hush@platform/kb' }
    const config = load({ environment })
    expect(config.database.url).toBe('postgres://u:hush@platform/kb')
    expect(config.addresses.database.source).toBe('DATABASE_URL')
    expect(load({ environment: { ...environment, ...base } })).toMatchObject({
      database: { url: 'postgres://db/kb' },
      addresses: { database: { source: 'PLUMBLINE_DATABASE_URL' } },
    })
    writeFileSync(join(cwd, 'plumbline.toml'), URL_ONLY)
    expect(load({ environment }).addresses.database.source).toBe(join(cwd, 'plumbline.toml'))
  })

  it('DATABASE_URL of another kind of database is not taken, and its text not shown', () => {
    const environment = { DATABASE_URL: 'mongodb://u:hush@platform/kb' }
    expect(problems({ environment })[1]).toContain(
      'DATABASE_URL is not the address of a PostgreSQL, MySQL, MariaDB or Trino server',
    )
    expect(problems({ environment }).join()).not.toContain('hush')
    expect(loadStoreConfig({ environment, cwd, home: undefined }).database).toEqual({})
    const broken = problems({ environment: { DATABASE_URL: 'postgres://u:hush%@platform/kb' } })
    expect(broken).toEqual([expect.stringMatching(/^database\.url \(from DATABASE_URL\): has a % that begins no escape/)])
  })

  it('is read from the variables of libpq, for PostgreSQL only, and each part is said', () => {
    const environment = { ...base, PGSSLMODE: 'require', PGPORT: '5433', PGHOST: 'elsewhere', PGUSER: 'reader' }
    const config = load({ environment: { ...environment, PLUMBLINE_STORE_URL: 'mysql://db/side' } })
    expect(config.database.url).toBe('postgres://db/kb?port=5433&user=reader&sslmode=require')
    expect(config.addresses.database.filledIn).toEqual(['port from PGPORT', 'user from PGUSER', 'sslmode from PGSSLMODE'])
    expect(config.store.url).toBe('mysql://db/side')
    const written = { ...environment, PLUMBLINE_DATABASE_URL: 'postgres://u@db:1/kb?sslmode=disable' }
    expect(load({ environment: written }).database.url).toBe('postgres://u@db:1/kb?sslmode=disable')
    expect(load({ environment: { PLUMBLINE_DATABASE_URL: 'postgres:///kb', PGHOST: '/run' } }).database.url).toBe(
      'postgres:///kb?host=%2Frun',
    )
  })

  it('is not read where psql would obey what Plumbline cannot', () => {
    expect(problems({ environment: { ...base, PGSERVICE: 'prod' } })).toEqual([
      'PGSERVICE is set. psql follows it, but Plumbline does not; unset it and put its value into database.url',
    ])
  })

  it('is found in the files of libpq, unless the connection is clear', () => {
    mkdirSync(join(home, '.postgresql'))
    const root = join(home, '.postgresql', 'root.crt')
    for (const file of ['root.crt', 'postgresql.crt']) writeFileSync(join(home, '.postgresql', file), '')
    const environment = { PLUMBLINE_DATABASE_URL: 'postgres://db/kb?sslmode=verify-full' }
    expect(load({ environment }).database.url).toBe(
      `postgres://db/kb?sslmode=verify-full&sslrootcert=${encodeURIComponent(root)}`,
    )
    expect(load({ environment }).addresses.database.filledIn).toEqual([`sslrootcert from ${root}`])
    for (const url of ['postgres://db/kb?sslmode=disable', 'postgres:///kb?host=/run', 'mysql://db/kb'])
      expect(load({ environment: { PLUMBLINE_DATABASE_URL: url } }).database.url).toBe(url)
  })

  it('relative certificates count from the file, else from the working directory', () => {
    const relative = 'mysql://db/kb?ssl-mode=VERIFY_CA&ssl_ca=tls/ca.crt'
    const absolute = (folder: string) =>
      `mysql://db/kb?ssl-mode=VERIFY_CA&ssl_ca=${encodeURIComponent(join(folder, 'tls/ca.crt'))}`
    expect(load({ environment: { PLUMBLINE_DATABASE_URL: relative } }).database.url).toBe(absolute(cwd))
    writeFileSync(join(root, 'above.toml'), `[database]\nurl = "${relative}"\n`)
    expect(load({ config: '../above.toml' }).database.url).toBe(absolute(root))
    const system = 'postgres://db/kb?sslrootcert=system'
    expect(load({ environment: { PLUMBLINE_DATABASE_URL: system } }).database.url).toBe(system)
  })

  it('two addresses of one place are one, for any user and any encryption', () => {
    const environment = {
      PLUMBLINE_DATABASE_URL: 'mysql://a@db/kb',
      PLUMBLINE_STORE_URL: 'mariadb://b@DB:3306/kb?ssl-mode=REQUIRED',
    }
    expect(problems({ environment })).toEqual([expect.stringContaining('store.url: must not be the billing database;')])
  })

  it('on Trino, the billing database has no cache, and its token is a file', () => {
    const environment = { PLUMBLINE_DATABASE_URL: 'trino://reader@lake.example.com/lake/billing' }
    const file = load({ environment: { ...environment, PLUMBLINE_DATABASE_TOKEN_FILE: 'token' } }).database.token_file
    expect(file).toBe(join(cwd, 'token'))
    const cached = { ...environment, PLUMBLINE_CACHE_MODE: 'on' }
    expect(problems({ environment: cached })).toEqual(['cache.mode: on is not possible, because Trino answers without a cache'])
    const clear = { PLUMBLINE_DATABASE_URL: 'trino://reader:hush@lake.example.com/lake/billing?sslmode=disable' }
    expect(problems({ environment: clear }).join()).toMatch(/would send the password in clear text \(sslmode=disable\)/)
    const store = { ...environment, PLUMBLINE_STORE_URL: 'trino://writer@lake.example.com/lake/plumbline' }
    expect(problems({ environment: store })).toEqual([expect.stringContaining('store.url')])
  })

  it('the writer of publications has files of its own, next to the configuration file, and no setting of it is ignored', () => {
    const billing = { PLUMBLINE_DATABASE_URL: 'trino://reader@lake.example.com/lake/billing?sslmode=require' }
    const writer = 'trino://writer@lake.example.com/lake/billing?sslrootcert=ca.pem'
    const schema = { ...billing, PLUMBLINE_LAKE_SCHEMA: 'lake.plumbline' }
    const token = { PLUMBLINE_LAKE_PUBLISH_TOKEN_FILE: 'writer.jwt' }
    const { lake } = load({ environment: { ...schema, ...token, PLUMBLINE_LAKE_PUBLISH_URL: writer } })
    expect(lake.publish_token_file).toBe(join(cwd, 'writer.jwt'))
    expect(decodeURIComponent(lake.publish_url ?? '')).toContain(join(cwd, 'ca.pem'))
    expect(problems({ environment: { ...schema, ...token } })).toEqual([
      expect.stringMatching(/lake\.publish_token_file .*needs lake\.publish_url/),
    ])
    expect(problems({ environment: { ...billing, PLUMBLINE_LAKE_EVERY_MINUTES: '60' } })).toEqual([
      expect.stringMatching(/lake\.every_minutes .*needs lake\.schema/),
    ])
  })
})

describe('a variable that names a file', () => {
  const file = (text: string) => {
    const path = join(mkdtempSync(join(root, 'secret-')), 'secret')
    writeFileSync(path, text)
    return path
  }

  it('gives the text of the file, without the line break at its end', () => {
    const PLUMBLINE_DATABASE_URL_FILE = file('postgres://u:p%20w@db/kb\n')
    const config = load({ environment: { PLUMBLINE_DATABASE_URL_FILE, AUTH_ENABLED_FILE: file('true\r\n') } })
    expect([config.database.url, config.auth.enabled]).toEqual(['postgres://u:p%20w@db/kb', true])
  })

  it.each([
    [() => '/does/not/exist', 'PLUMBLINE_STORE_SECRET_KEY_FILE: /does/not/exist cannot be read (ENOENT)'],
    [() => '/dev/zero', 'PLUMBLINE_STORE_SECRET_KEY_FILE: /dev/zero is no file'],
    [() => file('\n'), 'is empty'],
    [() => file('x'.repeat(70_000)), 'is larger than 65536 bytes'],
  ])('is refused if it cannot be read', (path, says) => {
    const found = problems({
      environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_STORE_SECRET_KEY_FILE: path() },
    })
    expect(found).toEqual([expect.stringContaining(says)])
  })

  it('is refused next to the variable itself, and quotes neither', () => {
    const found = problems({
      environment: {
        PLUMBLINE_DATABASE_URL: 'postgres://u:hidden@db/kb',
        PLUMBLINE_DATABASE_URL_FILE: file('postgres://v:hidden@db/kb'),
      },
    })
    expect(found[0]).toBe('PLUMBLINE_DATABASE_URL and PLUMBLINE_DATABASE_URL_FILE are both set; give one of them')
    expect(found.join()).not.toContain('hidden')
  })
})

describe('a table', () => {
  const names = (toml: string) => load({ environment: {}, ...inFile(toml) }).connector['tenant_names']
  const inFile = (toml: string) => {
    writeFileSync(join(cwd, 'plumbline.toml'), `${URL_ONLY}[connector]\n${toml}`)
    return {}
  }
  const inEnvironment = (text: string) => ({
    environment: { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb', PLUMBLINE_CONNECTOR_TENANT_NAMES: text },
  })

  it('is read from the file, inline or as a section', () => {
    expect(names('tenant_names = { acme = "Acme Inc." }')).toEqual({ acme: 'Acme Inc.' })
    expect(names('[connector.tenant_names]\nacme = "Acme, Inc."\n"a b" = " B "')).toEqual({ acme: 'Acme, Inc.', 'a b': 'B' })
  })

  it('is read from the environment', () => {
    expect(load(inEnvironment('acme=Acme = 1, b = B,')).connector['tenant_names']).toEqual({ acme: 'Acme = 1', b: 'B' })
  })

  it('of another form is refused', () => {
    for (const text of ['acme', 'a=A,a=B', '=A', 'a='])
      expect(problems(inEnvironment(text)), text).toEqual([
        expect.stringContaining('connector.tenant_names (from PLUMBLINE_CONNECTOR_TENANT_NAMES)'),
      ])
    expect(problems(inFile('tenant_names = "acme"'))).toEqual([expect.stringContaining('connector.tenant_names')])
  })
})
