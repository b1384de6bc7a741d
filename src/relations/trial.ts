import { column, defineRelation, nullable } from './define-relation.ts'

/** Trials with their outcome (D56, D57). */
export const trial = defineRelation({
  name: 'trial',
  kind: 'default',
  description:
    'One row per subscription that began in a trial. A trial that was running at a bundle transfer belongs to the receiving subscription. Outcomes reach to the end of the window, which begins at or before the first start in question.',
  grain: ['subscription_id'],
  has_window: true,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('subscription_id', 'text', 'Joins `subscription`.'),
    column('started_at', 'timestamp', 'Begin of the trial.'),
    nullable('converted_at', 'timestamp', 'Activation; null while there is none.'),
    nullable('expired_at', 'timestamp', 'End of a trial that did not convert.'),
  ],
})
