import { type Write, withOne } from './write-scene.ts'

/** The engine's writes about accounts, their tags and custom fields, by name. */
export const ACCOUNT_WRITES: Readonly<Record<string, Write>> = {
  sign_up: async ({ writing, writer, owner, dice }) => {
    const id = `account-new-${writer.rows('accounts').length + 1}-${writer.serial()}`
    const currency = owner['tenant_record_id'] === 2 ? 'EUR' : dice.pick(['USD', 'EUR'])
    await writing.insert('accounts', {
      tenant_record_id: owner['tenant_record_id'] ?? null,
      id,
      external_key: id,
      name: id,
      currency,
    })
  },
  rename: (scene) =>
    scene.writing.update(
      'accounts',
      scene.account,
      scene.dice.pick([{ name: `Renamed ${scene.dice.below(99)}` }, { country: scene.dice.pick(['DE', 'FR', 'US']) }]),
    ),
  tag: async (scene) => {
    const number = scene.dice.pick(['1', '5', '6', '6'])
    await scene.writing.insert('tags', {
      ...scene.owner,
      object_id: scene.account['id'] ?? null,
      object_type: 'ACCOUNT',
      tag_definition_id: `00000000-0000-0000-0000-00000000000${number}`,
    })
  },
  untag: (scene) => withOne(scene, 'tags', (row) => scene.writing.update('tags', row, { is_active: false })),
  write_off: (scene) =>
    withOne(scene, 'invoices', (row) =>
      scene.writing.insert('tags', {
        ...scene.owner,
        object_id: row['id'] ?? null,
        object_type: 'INVOICE',
        tag_definition_id: '00000000-0000-0000-0000-000000000004',
      }),
    ),
  field: async ({ writing, owner, account, dice }) => {
    await writing.insert('custom_fields', {
      ...owner,
      object_id: account['id'] ?? null,
      object_type: 'ACCOUNT',
      field_name: dice.pick(['tier', 'tier', 'seats', 'tag.vip']),
      field_value: dice.pick(['gold', 'gold', 'Zoë', '7', '']),
    })
  },
  label: async (scene) => {
    const { writing, owner, dice, writer } = scene
    const definition = await writing.insert('tag_definitions', {
      tenant_record_id: owner['tenant_record_id'] ?? null,
      id: `label-${writer.rows('tag_definitions').length}-${writer.serial()}-${scene.account['record_id']}`,
      name: dice.pick(['vip', 'vip', 'late']),
      description: 'set by hand',
    })
    await writing.insert('tags', {
      ...owner,
      object_id: scene.account['id'] ?? null,
      object_type: 'ACCOUNT',
      tag_definition_id: definition['id'] ?? null,
    })
  },
  reason: (scene) =>
    withOne(scene, 'subscriptions', (row) =>
      scene.writing.insert('custom_fields', {
        ...scene.owner,
        object_id: row['id'] ?? null,
        object_type: 'SUBSCRIPTION',
        field_name: 'cancel_reason',
        field_value: scene.dice.pick(['price', 'Zoë', 'gone']),
      }),
    ),
  other_reason: (scene) =>
    withOne(scene, 'custom_fields', (row) =>
      scene.writing.update('custom_fields', row, scene.dice.pick([{ field_value: 'other' }, { is_active: false }])),
    ),
}
