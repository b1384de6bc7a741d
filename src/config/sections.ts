import * as z from 'zod'
import { definitionsSchema } from '../core/definitions.ts'

const isAbsent = (issue: { readonly input?: unknown }): boolean => issue.input === undefined

const databaseUrl = z
  .string({ error: (issue) => (isAbsent(issue) ? 'is required: the address of the billing database' : 'must be text') })
  .regex(
    /^(postgres(ql)?:\/\/|(mysql|mariadb):\/\/|pglite:)./,
    'must be postgres://…, mysql://…, mariadb://… or pglite:<directory>',
  )
  .describe(
    'Billing database, best a read-only role on a replica: postgres://…, mysql:// or mariadb://…, or pglite:<directory> for demos',
  )

const storeUrl = z
  .string()
  .regex(
    /^(postgres(ql)?:\/\/.|(mysql|mariadb):\/\/.|pglite:.|none$)/,
    'must be postgres://…, mysql://…, mariadb://…, pglite:<directory> or none',
  )
  .default('pglite:./plumbline-data')
  .describe(
    'Side store for rates, attributes and segments: postgres://…, mysql:// or mariadb://…, none, or pglite:<directory>, which one process at a time can use',
  )

const oneOrMore = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error: 'must be text or a list of texts' })
  .transform((given) => [given].flat())

const notYet = (what: string) =>
  z
    .boolean()
    .default(false)
    .refine((on) => !on, `must be false: this version has no ${what}`)

const positive = z.int().min(1)

/** All sections of the configuration. A key's description is what the starter file says about it. */
export const sections = {
  database: z.strictObject({
    url: databaseUrl,
    schema: z.string().min(1).optional().describe('Schema of the billing tables; absent: the one the connector finds'),
  }),
  connector: z.strictObject({
    type: z.string().min(1).default('killbill').describe('Billing engine'),
    tenant: oneOrMore.optional().describe('Tenants by external key, API key, id or record id, or all; absent: the only one'),
    catalog: oneOrMore.optional().describe('Catalog files and URLs to use instead of the catalogs in the database'),
    cancel_reason_field: z
      .string()
      .min(1)
      .default('cancel_reason')
      .describe('Custom field that holds the reason of a cancellation'),
  }),
  store: z.strictObject({
    url: storeUrl,
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a plain lower-case name')
      .default('plumbline')
      .describe('Schema of the side store on PostgreSQL; created if absent'),
    colocated: z
      .boolean()
      .default(false)
      .describe('Whether the billing database can read the side store: its role needs select on the schema'),
  }),
  definitions: definitionsSchema,
  server: z.strictObject({
    host: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
    port: z.int().min(0).max(65_535).default(8000).describe('Port to listen on; 0 takes any free one'),
    cors_origins: z
      .array(z.string().refine(isOrigin, 'must be origins such as https://app.example.com'))
      .default([])
      .describe('Origins whose pages may call the API'),
  }),
  limits: z.strictObject({
    statement_timeout_ms: positive.max(2_147_483_647).default(30_000).describe('Longest time of one statement, in milliseconds'),
    pool_size: positive.max(1_000).default(4).describe('Connections to the billing database at most'),
    session_memory_mb: positive
      .max(2_047)
      .default(128)
      .describe('What one sort or temporary table of a statement may take on the billing database, in mebibytes'),
    max_rows: positive.default(250_000).describe('Rows of an answer at most'),
    max_csv_bytes: positive.default(52_428_800).describe('Size of an imported CSV file at most, in bytes'),
  }),
  replica: z.strictObject({
    max_lag_seconds: z.int().min(0).default(300).describe('How far behind its primary the replica may be'),
    lag_policy: z.enum(['warn', 'refuse']).default('warn').describe('What to do when it is further behind'),
    require_read_only: z.boolean().default(false).describe('Refuse a database role that could write'),
  }),
  cache: z.strictObject({
    mode: z
      .enum(['auto', 'on', 'off'])
      .default('auto')
      .describe(
        'auto: serve answers from a cache in this process once it is filled, a command only where the database takes too long; on: every command waits until it is filled; off',
      ),
    memory_mb: z.int().min(64).max(1_048_576).default(1024).describe('Memory of the cache at most, in mebibytes'),
    directory: z
      .string()
      .min(1)
      .optional()
      .describe('Where the cache puts what exceeds its memory; absent: the system’s temporary directory'),
  }),
  auth: z.strictObject({
    enabled: notYet('authentication').describe('Whether requests need a credential'),
    oidc_issuer: z.string().optional().describe('OpenID Connect issuer'),
    oidc_audience: z.string().optional().describe('Audience that a token must name'),
    oidc_client_id: z.string().optional().describe('Client id of the dashboard'),
    oidc_scope_claim: z.string().default('plumbline_scope').describe('Claim that holds the scopes'),
    oidc_default_scopes: z.array(z.string()).default(['read']).describe('Scopes of a token without that claim'),
  }),
  quickbooks: z.strictObject({
    client_id: z.string().optional().describe('Client id of the QuickBooks app'),
    client_secret: z.string().optional().describe('Client secret of the QuickBooks app'),
    redirect_uri: z.string().optional().describe('Address that QuickBooks sends the user back to'),
    verifier_token: z.string().optional().describe('Token that signs the webhooks'),
    environment: z.enum(['production', 'sandbox']).default('production').describe('Which QuickBooks'),
  }),
  clock: z.strictObject({
    now: z.iso
      .datetime({ offset: true, error: 'must be an instant such as 2025-03-31T12:00:00Z' })
      .transform((text) => new Date(text))
      .optional()
      .describe('A fixed instant instead of the present, for demos and tests'),
  }),
}

export const configSchema = z.strictObject(sections)

/** The same without a billing database: for what only needs the side store. */
export const storeConfigSchema = configSchema.extend({ database: sections.database.partial() })

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
