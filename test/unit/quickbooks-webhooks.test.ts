import { describe, expect, it } from 'vitest'
import { createPlatform } from '../../connectors/quickbooks/platform.ts'
import { SETTINGS } from '../../connectors/quickbooks/settings.ts'
import { type Change, cloudEvents, eventNotifications, type SignedBody } from '../support/product/intuit/webhook.ts'

const TOKEN = 'verifier'
const { webhooks } = createPlatform(SETTINGS.parse({ verifier_token: TOKEN }))

const CHANGES: readonly Change[] = [
  { realm: '4620', entity: 'Bill', id: '25', operation: 'Create' },
  { realm: '4620', entity: 'VendorCredit', id: '31', operation: 'Update' },
  { realm: '4620', entity: 'Purchase', id: '44', operation: 'Void' },
  { realm: '4621', entity: 'BillPayment', id: '50', operation: 'Delete' },
  { realm: '4621', entity: 'Invoice', id: '9', operation: 'Create' },
  { realm: '4621', entity: 'Vendor', id: '46', operation: 'Merge', deletedId: '47' },
]

const about = (source_id: string, entity: string, entity_id: string, operation: string) => ({
  source_id,
  notification: { entity, entity_id, operation },
})

describe.each([
  ['a list of CloudEvents', cloudEvents],
  ['eventNotifications', eventNotifications],
])('%s', (_name, format: (changes: readonly Change[], token: string) => SignedBody) => {
  const { body, headers } = format(CHANGES, TOKEN)
  const signature = headers['intuit-signature'] ?? ''
  const verify = (text: string, given: string) => webhooks.verifySignature(Buffer.from(text), given)

  it('says the same in either', () => {
    expect(webhooks.notificationsOf(JSON.parse(body))).toEqual({
      notifications: [
        about('quickbooks-4620', 'Bill', '25', 'create'),
        about('quickbooks-4620', 'VendorCredit', '31', 'update'),
        about('quickbooks-4620', 'Purchase', '44', 'void'),
        about('quickbooks-4621', 'BillPayment', '50', 'delete'),
        about('quickbooks-4621', 'Vendor', '46', 'merge'),
        about('quickbooks-4621', 'Vendor', '47', 'delete'),
      ],
      ignored: 1,
    })
  })

  it('is believed with its signature alone', () => {
    expect(webhooks.signatureHeader).toBe('intuit-signature')
    expect(verify(body, signature)).toBe(true)
    expect(verify(`${body} `, signature)).toBe(false)
    expect(verify(body, format(CHANGES, 'another').headers['intuit-signature'] ?? '')).toBe(false)
    for (const wrong of ['', 'x', signature.slice(0, -4), Buffer.from(signature, 'base64').toString('hex')]) {
      expect(verify(body, wrong)).toBe(false)
    }
  })
})

it('useless notifications are counted, not refused', () => {
  expect(webhooks.notificationsOf({})).toEqual({ notifications: [], ignored: 0 })
  expect(webhooks.notificationsOf(null)).toEqual({ notifications: [], ignored: 0 })
  expect(webhooks.notificationsOf([{ type: 'other.thing' }, 7, { type: 'qbo.bill.created.v1' }])).toEqual({
    notifications: [],
    ignored: 3,
  })
  const entities = [
    { name: 'Bill', id: '1' },
    { name: 'Bill', id: 2, operation: 'Update' },
  ]
  expect(webhooks.notificationsOf({ eventNotifications: [{ dataChangeEvent: { entities } }, 'x'] })).toEqual({
    notifications: [{ source_id: undefined, notification: { entity: 'Bill', entity_id: '2', operation: 'update' } }],
    ignored: 2,
  })
})

it('a company that is null is one that the address has to name', () => {
  const event = {
    type: 'qbo.bill.updated.v1',
    intuitentityid: '2',
    intuitaccountid: null,
    data: { deletedId: null },
  }
  const notification = { entity: 'Bill', entity_id: '2', operation: 'update' }
  const expected = {
    notifications: [{ source_id: undefined, notification }],
    ignored: 0,
  }
  expect(webhooks.notificationsOf([event])).toEqual(expected)
  const entities = [{ name: 'Bill', id: '2', operation: 'Update' }]
  const older = {
    eventNotifications: [{ realmId: null, dataChangeEvent: { entities } }],
  }
  expect(webhooks.notificationsOf(older)).toEqual(expected)
})

it('without a verifier token nothing is genuine', () => {
  const open = createPlatform(SETTINGS.parse({ allow_unsigned: true })).webhooks
  expect(open).toMatchObject({ hasSecret: false, allowsUnsigned: true })
  expect(open.verifySignature(Buffer.from('x'), '')).toBe(false)
})
