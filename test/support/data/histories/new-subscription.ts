import type { BillingWriter, Writing } from './billing-writer.ts'

/** Writes a new subscription of the second account, in a transaction that is not committed yet. */
export async function beginSubscription(writer: BillingWriter, created: string): Promise<Writing> {
  const writing = await writer.begin(created)
  const account = writer.rows('accounts')[1]
  const owner = { tenant_record_id: account?.['tenant_record_id'] ?? null, account_record_id: account?.['record_id'] ?? null }
  const number = writer.rows('bundles').length
  const [bundle, subscription] = [`b-${number}`, `s-${number}`]
  await writing.insert('bundles', { ...owner, id: bundle, account_id: account?.['id'] ?? null, external_key: bundle })
  await writing.insert('subscriptions', {
    ...owner,
    id: subscription,
    bundle_id: bundle,
    external_key: subscription,
    category: 'BASE',
    start_date: created,
  })
  await writing.insert('subscription_events', {
    ...owner,
    subscription_id: subscription,
    event_type: 'API_USER',
    user_type: 'CREATE',
    effective_date: created,
    plan_name: 'p-monthly',
    phase_name: 'p-monthly-evergreen',
    price_list_name: 'DEFAULT',
  })
  return writing
}
