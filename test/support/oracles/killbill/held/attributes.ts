import { CONTROL_TAGS } from '../../../../../connectors/killbill/control-tags.ts'
import { type QueryRunner, sql } from '../../../../../src/connector-kit/query-runner.ts'
import { parseInteger } from '../../../../../src/core/money.ts'
import { type AccountPage, inPage } from '../fold/account-statements.ts'

/** Custom fields by name (the newest of each), and the `record_id` of each tag by name (the oldest of several). */
export interface AccountAttributes {
  readonly fields: ReadonlyMap<string, { readonly value: string; readonly record_id: number }>
  readonly tags: ReadonlyMap<string, number>
}

export const NO_ATTRIBUTES: AccountAttributes = { fields: new Map(), tags: new Map() }

const CONTROL_TAG_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(CONTROL_TAGS).map(([name, id]) => [id, name]))

/** Reads the active fields and tags of a page's accounts, by `record_id` of the account. */
export async function readAttributes(run: QueryRunner, page: AccountPage): Promise<ReadonlyMap<number, AccountAttributes>> {
  const fields = await run(
    'killbill.fill.fields',
    sql`select t.account_record_id, t.record_id, t.field_name, t.field_value from custom_fields as t
where ${inPage(page)} and t.is_active = true and t.object_type = 'ACCOUNT' and t.field_value is not null
order by t.account_record_id, t.record_id`,
  )
  const tags = await run(
    'killbill.fill.tags',
    sql`select t.account_record_id, t.record_id, t.tag_definition_id, definition.name from tags as t
left join tag_definitions as definition on definition.id = t.tag_definition_id and definition.tenant_record_id = t.tenant_record_id
where ${inPage(page)} and t.is_active = true and t.object_type = 'ACCOUNT'
order by t.account_record_id, t.record_id`,
  )
  const found = new Map<number, { fields: Map<string, { value: string; record_id: number }>; tags: Map<string, number> }>()
  const of = (key: unknown) => {
    const account = parseInteger(key)
    const known = found.get(account) ?? { fields: new Map(), tags: new Map() }
    found.set(account, known)
    return known
  }
  for (const row of fields) {
    const record_id = parseInteger(row['record_id'])
    of(row['account_record_id']).fields.set(String(row['field_name']), { value: String(row['field_value']), record_id })
  }
  for (const row of tags) {
    const name = row['name'] ?? CONTROL_TAG_NAMES.get(String(row['tag_definition_id']))
    const own = of(row['account_record_id']).tags
    if (name !== undefined && !own.has(String(name))) own.set(String(name), parseInteger(row['record_id']))
  }
  return found
}
