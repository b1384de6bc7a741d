import { column, defineRelation } from './define-relation.ts'

/** Which subscriptions can take each other's place (D33). Not among the contracts: it serves the movements alone, and nobody may ask for it. */
export const bundleLine = defineRelation({
  name: 'bundle_line',
  kind: 'default',
  description: 'One row per subscription. If subscriptions of one customer have the same line, one replaces the other.',
  grain: ['subscription_id'],
  has_window: false,
  columns: [
    column('subscription_id', 'text', 'Id of the subscription.'),
    column('bundle_line', 'text', 'Key of the bundle without transfer prefixes, unique among all sources.'),
  ],
})
