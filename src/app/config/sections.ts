import { isIP } from 'node:net'
import * as z from 'zod'
import { readableAddress } from '../../core/addresses.ts'
import { AUTH_OFF, SCOPES } from '../../core/auth.ts'
import { BUILT_IN_SETS } from '../../core/definition-sets/built-in-sets.ts'
import { DEFAULT_SET } from '../../core/definition-sets/sets.ts'
import { definitionsSchema, setOptionsSchema } from '../../core/definitions.ts'
import { MARKABLE } from '../../trust/checks/setup.ts'
import { BUILT_IN_CONNECTORS, PLATFORM_SECTIONS } from '../built-in.ts'
import { mailSection, shareSection, slackSection } from './channel-sections.ts'
import { lakeSection } from './lake-section.ts'
import { ledgerSection } from './ledger-section.ts'
import { isOrigin, usableAddress } from './section-checks.ts'

/** The least `cache.memory_mb`. */
export const LEAST_CACHE_MB = 64

/** Only an issuer on this machine may use http://. */
const ISSUER = /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$))/

const name = z.string().min(1)

const takenSets = [DEFAULT_SET, ...BUILT_IN_SETS.map((set) => set.name)]

const setName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be small letters, digits, - and _')
  .refine((text) => !takenSets.includes(text), `must not be the name of a built-in set: ${takenSets.join(', ')}`)

/** The section `auth`. */
const authSection = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Require a credential for each request'),
    oidc_issuer: z
      .string()
      .refine(
        isIssuer,
        'must be https://… without query, fragment and password, exactly as the issuer names itself; http:// only on this machine',
      )
      .optional()
      .describe('OpenID Connect issuer whose tokens are accepted, exactly as it names itself; absent: API keys only'),
    oidc_audience: name.optional().describe('Audience that a token must contain; absent: oidc_client_id'),
    oidc_client_id: name.optional().describe('Client id for sign-in on the dashboard'),
    oidc_scope_claim: name.default(AUTH_OFF.oidc_scope_claim).describe('Claim of a token that contains its scopes'),
    oidc_default_scopes: z
      .array(z.enum(SCOPES, { error: `must be of ${SCOPES.join(', ')}` }))
      .default([...AUTH_OFF.oidc_default_scopes])
      .describe('Scopes of a token without that claim'),
    audit_days: z.int().min(1).max(36_500).default(AUTH_OFF.audit_days).describe('Days that the audit log keeps'),
  })
  .superRefine(({ oidc_issuer, oidc_audience, oidc_client_id }, context) => {
    if (oidc_issuer === undefined || oidc_audience !== undefined || oidc_client_id !== undefined) return
    const message = 'needs oidc_audience or oidc_client_id, or tokens for other services would be accepted'
    context.addIssue({ code: 'custom', path: ['oidc_issuer'], message })
  })

function isIssuer(text: string): boolean {
  if (!ISSUER.test(text) || !URL.canParse(text)) return false
  const { search, hash, username, password } = new URL(text)
  return `${search}${hash}${username}${password}` === ''
}

const isAbsent = (issue: { readonly input?: unknown }): boolean => issue.input === undefined

const databaseUrl = z
  .string({ error: (issue) => (isAbsent(issue) ? 'is required: the address of the billing database' : 'must be text') })
  .regex(
    /^(postgres(ql)?:\/\/|(mysql|mariadb):\/\/|trino:\/\/|pglite:)./,
    'must be postgres://…, mysql://…, mariadb://…, trino://… or pglite:<directory>',
  )
  .superRefine(usableAddress)
  .describe(
    'Billing database, ideally a read-only role on a replica: postgres://…, mysql:// or mariadb://…, trino://…/catalog/schema, or pglite:<directory> for demos; absent: DATABASE_URL. docs/configuration.md lists the TLS parameters',
  )

const storeUrl = z
  .string()
  .regex(
    /^(postgres(ql)?:\/\/.|(mysql|mariadb):\/\/.|sqlite:.|pglite:.|none$)/,
    'must be postgres://…, mysql://…, mariadb://…, sqlite:<file> or none',
  )
  .superRefine(usableAddress)
  .default('sqlite:./plumbline-data/store.db')
  .describe(
    'Side store for rates, attributes and segments: postgres://…, mysql:// or mariadb://…, none, or sqlite:<file> on a local disk, for processes on one machine',
  )

const positive = z.int().min(1)

/** All sections of the configuration. The starter file shows the description of each key. */
export const sections = {
  database: z.strictObject({
    url: databaseUrl,
    schema: z.string().min(1).optional().describe('Schema of the billing tables; absent: the connector finds it'),
    token_file: z
      .string()
      .min(1)
      .optional()
      .describe('File with the token (JWT) of the user on Trino, read again for each query; absent: the password of url'),
  }),
  /** The definition of a connector adds its settings. */
  connector: z.looseObject({ type: z.string().min(1).default(BUILT_IN_CONNECTORS[0].type).describe('Billing engine') }),
  store: z.strictObject({
    url: storeUrl,
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a plain lower-case name')
      .default('plumbline')
      .describe('Schema of the side store on PostgreSQL; created if missing'),
    workspace: z
      .string()
      .regex(/^[\w.:@-]{1,64}$/, 'must be 1 to 64 letters, digits and _ . : @ -')
      .optional()
      .describe('Owner of attributes and segments, if services share a store; absent: derived from the tenants'),
    secret_key: z
      .string()
      .refine(
        (text) => /^([A-Za-z0-9+/]{43}=)?$/.test(text),
        'must be 32 bytes in base64, as `openssl rand -base64 32` writes them',
      )
      // The starter file shows an empty key, because an example would be a publicly known key.
      .transform((text) => (text === '' ? undefined : text))
      .optional()
      .describe(
        'Key that encrypts the tokens of connected sources, 32 bytes in base64; absent: a file next to an embedded store',
      ),
    colocated: z
      .boolean()
      .default(false)
      .describe('The billing database can read the side store; its role needs select on the schema'),
  }),
  fx: z.strictObject({
    ecb_url: z
      .string()
      .regex(/^https?:\/\//, 'must be http://… or https://…')
      .superRefine(readableAddress)
      .default('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip')
      .describe(
        'Address of the reference rates of the European Central Bank; only `fx fetch ecb` and its button on the dashboard use it',
      ),
  }),
  definitions: definitionsSchema.extend({
    sets: z
      .record(setName, setOptionsSchema)
      .default({})
      .describe('Definition sets by name, in sections [definitions.sets.<name>]. Each states only the options that differ'),
  }),
  ledger: ledgerSection,
  mail: mailSection,
  slack: slackSection,
  share: shareSection,
  setup: z.strictObject({
    done: z
      .array(z.enum(MARKABLE, { error: `must be of ${MARKABLE.join(', ')}` }))
      .default([])
      .describe('Steps of the setup that you have done: test_accounts, access, backup. `check` and the dashboard no longer ask'),
  }),
  server: z.strictObject({
    host: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
    port: z.int().min(0).max(65_535).default(8000).describe('Port to listen on; 0 for any free port'),
    hosts: z
      .array(z.string().refine(isHostName, 'must be names or addresses without port or wildcard, such as plumbline.example.com'))
      .default([])
      .describe('Host names and addresses of the service, in addition to loopback ones and host; others are refused'),
    allow_open: z.boolean().default(false).describe('Whether a service without authentication may listen beyond this machine'),
    cors_origins: z
      .array(
        z
          .string()
          .refine((text) => !text.includes('*'), 'must name each origin in full: a wildcard would let any page read the figures')
          .refine((text) => text.includes('*') || isOrigin(text), 'must be origins such as https://app.example.com'),
      )
      .default([])
      .describe('Origins whose pages may call the API'),
    base_path: z
      .string()
      .transform((text) => text.replace(/\/$/, ''))
      .refine(
        (text) => /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/.test(text),
        'must be a path such as /plumbline, of letters, digits and _ . ~ -',
      )
      .default('')
      .describe('Prefix of every path, if the service shares a host, such as /plumbline'),
    public_origin: z
      .string()
      .refine(isOrigin, 'must be an origin such as https://plumbline.example.com; a path is server.base_path')
      .optional()
      .describe('Public origin of the service, used in links; absent: the origin of the request'),
    probe_port: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe('Port of a separate listener for /healthz, /readyz and /metrics; absent: none'),
    max_connections: positive
      .max(1_000_000)
      .default(1000)
      .describe('Most connections at the same time; further ones are dropped'),
  }),
  limits: z.strictObject({
    statement_timeout_ms: positive.max(2_147_483_647).default(30_000).describe('Longest time of one statement, in milliseconds'),
    pool_size: positive
      .max(1_000)
      .default(4)
      .describe(
        'Queries that the billing database answers at the same time; cache, probes and stored resources have separate connections',
      ),
    queue_size: positive
      .max(100_000)
      .default(200)
      .describe('Queries that may wait, for the billing database and for the cache each'),
    queue_ms: positive.max(2_147_483_647).default(5_000).describe('Longest wait of a query, in milliseconds'),
    session_memory_mb: positive
      .max(2_047)
      .default(128)
      .describe('Memory for one sort or temporary table of a statement on the billing database, in mebibytes'),
    max_rows: positive.default(250_000).describe('Most rows of an answer'),
    max_csv_bytes: positive.default(52_428_800).describe('Largest size of an imported CSV file, in bytes'),
    attribute_keys: positive.max(100_000).default(1_000).describe('Most attribute keys in the store'),
    issues: positive.max(10_000).default(100).describe('Most issues listed in the answer to a refused request'),
  }),
  replica: z.strictObject({
    max_lag_seconds: z.int().min(0).default(300).describe('Longest acceptable lag of the replica behind its primary, in seconds'),
    lag_policy: z
      .enum(['warn', 'refuse'])
      .default('warn')
      .describe('Action if the lag is longer: answer with a warning, or refuse'),
    require_read_only: z.boolean().default(false).describe('Refuse a database role that can write'),
  }),
  cache: z.strictObject({
    mode: z
      .enum(['auto', 'on', 'off'])
      .default('auto')
      .describe(
        'auto: answer from a cache in this process once it is filled, and in a command only if the database takes too long; on: every command waits until it is filled; off: no cache',
      ),
    memory_mb: z.int().min(LEAST_CACHE_MB).max(1_048_576).default(1024).describe('Most memory of the cache, in mebibytes'),
    directory: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Directory in which the cache outlives its process; absent: next to an embedded store, else the user’s directory for caches; none: nowhere',
      ),
  }),
  lake: lakeSection,
  log: z.strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Lowest level that the service logs'),
    format: z.enum(['text', 'json']).optional().describe('Format of a log line; absent: text on a terminal, else json'),
  }),
  auth: authSection,
  ...PLATFORM_SECTIONS,
  clock: z.strictObject({
    now: z.iso
      .datetime({ offset: true, error: 'must be an instant such as 2025-03-31T12:00:00Z' })
      .transform((text) => new Date(text))
      .optional()
      .describe('A fixed instant instead of the current time, for demos and tests'),
  }),
}

export const configSchema = z.strictObject(sections)

/** The configuration for commands that need only the side store: `database.url` may be absent. */
export const storeConfigSchema = configSchema.extend({ database: sections.database.partial() })

function isHostName(text: string): boolean {
  if (isIP(text) !== 0) return true
  return !text.includes('*') && URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text.toLowerCase()
}
