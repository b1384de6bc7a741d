import * as z from 'zod'
import { COPY_TOOLS } from '../../cache/lake/copy-tools.ts'
import { isOrigin, usableAddress } from './section-checks.ts'

const positive = z.int().min(1)
/** Trino compares names in lower case. */
const TABLE = /^[^"?\p{Cc}]{1,200}$/u

/** Most databases of a lake: their keys stay within the exact numbers of JavaScript. */
const MOST_DATABASES = 1_000

/** A database. The connector reads its other settings. */
const lakeDatabase = z.looseObject(
  {
    name: z
      .string('needs a name')
      .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'has a name that is not of up to 32 small letters, digits, - and _'),
    schema: z
      .string('needs a schema')
      .regex(
        /^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}$/,
        'has a schema that is not <schema> or <catalog>.<schema>, in lower case',
      ),
  },
  'must be a section [[lake.databases]] of the file, with name and schema',
)

const fields = z.strictObject({
  scan_limit_gb: positive.max(1_000_000).default(100).describe('Most gigabytes that Trino may read for one query'),
  next_uri_origin: z
    .string()
    .refine(isOrigin, 'must be an origin such as https://trino.internal:8443')
    .optional()
    .describe(
      'Origin by which the Trino coordinator names itself, if a proxy has another one; absent: the origin of database.url',
    ),
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$/, 'must be <catalog>.<schema>, in lower case')
    .optional()
    .describe(
      'Schema of Iceberg tables for publications, as <catalog>.<schema>; absent: none, each question reads the billing tables',
    ),
  publish_url: z
    .string()
    .regex(/^trino:\/\/./, 'must be trino://…/catalog/schema')
    .superRefine(usableAddress)
    .optional()
    .describe('The billing tables on Trino with the user who writes publications; absent: database.url'),
  publish_token_file: z
    .string()
    .min(1)
    .optional()
    .describe('File with the token (JWT) of that user, read again for each query; absent: the password of publish_url'),
  every_minutes: positive
    .max(525_600)
    .optional()
    .describe('plumbline serve publishes if the newest publication is older than this; absent: only plumbline publish does'),
  parallel: positive.max(64).default(4).describe('Steps of a publication that run at the same time'),
  keep: positive
    .max(1_000)
    .default(2)
    .describe('Complete publications that stay; one that was replaced within the last hour always stays'),
  max_skew_seconds: positive
    .max(86_400)
    .default(900)
    .describe('Most seconds between the last commits of two billing tables; a larger gap refuses a publication'),
  max_age_minutes: positive
    .max(5_256_000)
    .optional()
    .describe(
      'An older publication counts as lagging: answers have a warning, or are refused, as replica.lag_policy says; absent: no limit',
    ),
  step_timeout_seconds: positive.max(86_400).default(3_600).describe('Time limit of one step of a publication'),
  fault_tolerant: z
    .boolean()
    .default(false)
    .describe('Let Trino repeat failed tasks of a publication (retry_policy = TASK); the cluster needs an exchange manager'),
  copied_by: z
    .enum(COPY_TOOLS)
    .default('plain')
    .describe('The tool that copies the billing tables, whose marks of deleted rows count; plain: deleted rows are gone'),
  tables: z
    .record(z.string().min(1), z.string().regex(TABLE, 'must be the name of a table'))
    .default({})
    .describe('Names of billing tables on Trino that differ from those of the engine')
    .meta({ example: { accounts: 'billing.public.ACCOUNTS' } }),
  look_every_seconds: positive.max(1_800).default(10).describe('A service looks for a newer publication this often'),
  straight: z
    .boolean()
    .default(false)
    .describe('Without a publication, read the billing tables for each question instead of refusing it'),
  databases: z
    .array(lakeDatabase)
    .min(1, 'must name a database')
    .max(MOST_DATABASES)
    .optional()
    .describe(
      'Several billing databases in one publication, in sections [[lake.databases]] with name, schema and the settings of their connector; absent: the schema in database.url',
    ),
})

/** The section `lake`. */
export const lakeSection = fields.superRefine((lake, context) => {
  const needs = (key: 'schema' | 'publish_url', dependent: readonly (keyof typeof lake)[]) => {
    const [given] = lake[key] === undefined ? dependent.filter((each) => lake[each] !== undefined) : []
    if (given !== undefined) context.addIssue({ code: 'custom', path: [given], message: `needs lake.${key}` })
  }
  needs('schema', ['publish_url', 'every_minutes'])
  needs('publish_url', ['publish_token_file'])
})
