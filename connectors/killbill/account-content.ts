import type { ConnectorSession } from '../../src/connector-kit/connector.ts'
import { customersIn, type RawTable } from '../../src/connector-kit/mirror-source.ts'
import { type Fragment, ident, join, sql, value } from '../../src/connector-kit/query-runner.ts'
import { IS_INVOICE_NUMBER, IS_WRITE_OFF } from './account-rows.ts'

/** Rows that people edit or delete by hand, without the billing engine and so without history. */
interface EditedRows {
  /** The account of a row `t`. */
  readonly account: Fragment
  readonly from: Fragment
  /** Texts of a row `t` that the relations read. */
  readonly texts: readonly Fragment[]
}

const columns = (...names: readonly string[]) => names.map((name) => sql`t.${ident(name)}`)

const OWNER = sql`t.account_record_id`

/** A broken reference of a deleted row shows too, because the sum lacks the row. */
const EDITED: readonly EditedRows[] = [
  {
    account: sql`t.record_id`,
    from: sql`accounts as t where 1 = 1`,
    texts: [
      ...columns('external_key', 'email', 'name', 'currency', 'country', 'company_name', 'city'),
      ...columns('state_or_province', 'postal_code', 'locale', 'time_zone'),
    ],
  },
  { account: OWNER, from: sql`bundles as t where 1 = 1`, texts: columns('id', 'external_key') },
  { account: OWNER, from: sql`subscriptions as t where 1 = 1`, texts: columns('id', 'bundle_id', 'external_key') },
  {
    account: OWNER,
    from: sql`custom_fields as t where t.is_active = true
  and (t.object_type in ('ACCOUNT', 'SUBSCRIPTION') or (${IS_INVOICE_NUMBER}))`,
    texts: columns('object_id', 'field_name', 'field_value'),
  },
  {
    account: OWNER,
    from: sql`tags as t left join tag_definitions as definition on definition.id = t.tag_definition_id
  where ((t.is_active = true and t.object_type in ('ACCOUNT', 'INVOICE'))
    or (${IS_WRITE_OFF}))`,
    texts: [
      ...columns('object_id', 'tag_definition_id'),
      sql`definition.name`,
      sql`case when t.is_active = true then 'active' else 'removed' end`,
    ],
  },
]

/** Stands for null, so that a text that moves to another column changes the digest. */
const NULL = sql`'~'`

/**
 * The digest of each account: the sum of a 32-bit hash of each row that people edit by hand. The hash function belongs to the server, as that of
 * `rowPrint`.
 */
export function accountContent({ params }: ConnectorSession, dialect: string): RawTable {
  const tenants = value(params['tenants'] ?? null, 'integers')
  return {
    name: 'account_content',
    columns: [
      { name: 'customer_key', type: 'integer' },
      { name: 'digest', type: 'integer' },
    ],
    select(customers) {
      const selects = EDITED.map(({ account, from, texts }) => {
        const cells = texts.map((cell) => sql`coalesce(${cell}, ${NULL})`)
        const text = sql`concat_ws('|', t.record_id, ${join(cells, sql`, `)})`
        const print = dialect === 'postgres' ? sql`cast(hashtext(${text}) as bigint)` : sql`crc32(${text})`
        return sql`select ${account} as customer_key, ${print} as print from ${from}
  and t.tenant_record_id in (${tenants}) and ${customersIn(account, customers, 'integer')}`
      })
      return sql`select edited.customer_key, cast(sum(edited.print) as ${dialect === 'postgres' ? sql`bigint` : sql`signed`}) as digest
from (${join(selects, sql` union all `)}) as edited group by edited.customer_key`
    },
  }
}
