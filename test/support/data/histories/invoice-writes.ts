import Big from 'big.js'
import { own, someInstant, type Write, withOne } from './write-scene.ts'

/** The engine's writes about invoices and their payments, by name. */
export const INVOICE_WRITES: Readonly<Record<string, Write>> = {
  invoice: async (scene) => {
    const { writing, owner, account, dice } = scene
    const common = { ...owner, account_id: account['id'] ?? null, currency: account['currency'] ?? null }
    const status = dice.pick(['COMMITTED', 'COMMITTED', 'DRAFT'])
    const invoice = await writing.insert('invoices', { ...common, status, invoice_date: scene.now.slice(0, 10) })
    const subscription = own(scene, 'subscriptions')[0]
    const item = { ...common, invoice_id: invoice['id'] ?? null, subscription_id: subscription?.['id'] ?? null }
    const month = `${scene.now.slice(0, 7)}-01`
    await writing.insert('invoice_items', {
      ...item,
      type: 'USAGE',
      amount: `${dice.below(90)}.25`,
      start_date: month,
      end_date: null,
      phase_name: 'metered-evergreen',
    })
    if (dice.chance(50))
      await writing.insert('invoice_items', { ...item, type: 'RECURRING', amount: '10.00', start_date: month, end_date: null })
  },
  commit_invoice: (scene) =>
    withOne(scene, 'invoices', (row) =>
      scene.writing.update('invoices', row, { status: scene.dice.pick(['COMMITTED', 'COMMITTED', 'VOID']) }),
    ),
  adjust: (scene) =>
    withOne(scene, 'invoice_items', async (row) => {
      if (scene.dice.chance(50)) return scene.writing.update('invoice_items', row, { amount: `${scene.dice.below(50)}.5` })
      return scene.writing.insert('invoice_items', {
        ...scene.owner,
        account_id: row['account_id'] ?? null,
        currency: row['currency'] ?? null,
        invoice_id: row['invoice_id'] ?? null,
        type: 'ITEM_ADJ',
        amount: '-1.50',
        linked_item_id: row['id'] ?? null,
      })
    }),
  pay: (scene) =>
    withOne(scene, 'invoices', (row) =>
      scene.writing.insert('invoice_payments', {
        ...scene.owner,
        invoice_id: row['id'] ?? null,
        currency: row['currency'] ?? null,
        amount: scene.dice.pick(['1000.00', '10.00', '-5.00']),
        payment_date: someInstant(scene),
        status: scene.dice.pick(['SUCCESS', 'SUCCESS', 'INIT']),
      }),
    ),
  settle_payment: (scene) =>
    withOne(scene, 'invoice_payments', (row) =>
      scene.writing.update('invoice_payments', row, { status: 'SUCCESS', payment_date: scene.now }),
    ),
  parent_invoice: async (scene) => {
    const { writing, owner, account } = scene
    const child = scene.writer
      .rows('invoices')
      .find(
        (row) =>
          row['account_record_id'] !== account['record_id'] &&
          row['tenant_record_id'] === owner['tenant_record_id'] &&
          !scene.writer.rows('invoice_parent_children').some((link) => link['child_invoice_id'] === row['id']),
      )
    if (child === undefined) return
    const common = { ...owner, account_id: account['id'] ?? null, currency: account['currency'] ?? null }
    const invoice = await writing.insert('invoices', {
      ...common,
      status: 'COMMITTED',
      parent_invoice: true,
      invoice_date: scene.now.slice(0, 10),
    })
    // The engine adds the later invoices of the child to the same item, and links only the first (KB 8.7).
    const told = scene.writer
      .rows('invoices')
      .filter((row) => row['account_record_id'] === child['account_record_id'] && row['status'] === 'COMMITTED')
    const toldItems = told
      .filter((row) => !scene.writer.rows('invoice_parent_children').some((link) => link['child_invoice_id'] === row['id']))
      .flatMap((row) =>
        scene.writer
          .rows('invoice_items')
          .filter((item) => item['invoice_id'] === row['id'] && String(item['created_date']) <= String(row['created_date'])),
      )
    await writing.insert('invoice_items', {
      ...common,
      invoice_id: invoice['id'] ?? null,
      child_account_id: child['account_id'] ?? null,
      type: 'PARENT_SUMMARY',
      amount: toldItems.reduce((sum, item) => sum.plus(String(item['amount'])), new Big(0)).toFixed(2),
      start_date: scene.now.slice(0, 10),
    })
    await writing.insert('invoice_parent_children', {
      ...owner,
      parent_invoice_id: invoice['id'] ?? null,
      child_invoice_id: child['id'] ?? null,
      child_account_id: child['account_id'] ?? null,
    })
  },
}
