import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'
import type { TrapFigures } from '../support/product/range-figures.ts'

const CONTROL_TAGS = {
  AUTO_PAY_OFF: '00000000-0000-0000-0000-000000000001',
  AUTO_INVOICING_OFF: '00000000-0000-0000-0000-000000000002',
}
const EURO = [{ date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.10' }]

const NOTHING: TrapFigures = {
  opening: 0,
  closing: 0,
  movements: {},
  churned: '0/0',
  lost: '0/0',
  nrr: null,
  grr: null,
  arpu: null,
}

/** Events of a customer, and the figures of March 2025 after them, with the sum worked out by hand. */
export const CUSTOMER_TRAPS: Readonly<Record<string, { readonly scenario: Scenario; readonly march: TrapFigures }>> = {
  // 3000 + 1000 before; 1000 of it goes, 3000 / 4000 stays; the customer is still there.
  'one of two subscriptions ends': {
    scenario: trap({ subscriptions: { S1: held('gold', '2025-01-10'), S2: held('silver', '2025-01-10', '2025-03-10') } }),
    march: {
      opening: 4000,
      closing: 3000,
      movements: { churn: -1000 },
      churned: '0/1',
      lost: '1000/4000',
      nrr: 0.75,
      grr: 0.75,
      arpu: 3000,
    },
  },
  // 3000 goes on the 10th and returns on the 20th. A return counts in no rate: 3000 - 3000 of 3000. A pause is no logo churn.
  'a pause inside the range': {
    scenario: trap({
      subscriptions: { S: held('gold', '2025-01-10') },
      blocks: [
        ['account A', 'shop', '2025-03-10', true],
        ['account A', 'shop', '2025-03-20', false],
      ],
    }),
    march: {
      opening: 3000,
      closing: 3000,
      movements: { churn: -3000, reactivation: 3000 },
      churned: '0/1',
      lost: '3000/3000',
      nrr: 0,
      grr: 0,
      arpu: 3000,
    },
  },
  // All 3000 goes with the only subscription, and so the customer; the 1000 ten days later is a return.
  'a return inside the range': {
    scenario: trap({
      subscriptions: { S1: held('gold', '2025-01-10', '2025-03-10'), S2: held('silver', '2025-03-20') },
    }),
    march: {
      opening: 3000,
      closing: 1000,
      movements: { churn: -3000, reactivation: 1000 },
      churned: '1/1',
      lost: '3000/3000',
      nrr: 0,
      grr: 0,
      arpu: 1000,
    },
  },
  // Never live, never paying: nothing happens outside the trial figures.
  'a trial that never converts': {
    scenario: trap({
      subscriptions: {
        S: {
          events: [
            ['2025-03-05', 'CREATE', 'try-trial'],
            ['2025-03-19', 'PHASE', 'try-evergreen', { is_active: false }],
            ['2025-03-15', 'CANCEL'],
          ],
        },
      },
    }),
    march: NOTHING,
  },
  // The change of the 10th ends the trial: gold's 3000 is new, and nobody was there before.
  'a trial converted by a plan change': {
    scenario: trap({
      subscriptions: {
        S: {
          events: [
            ['2025-03-05', 'CREATE', 'try-trial'],
            ['2025-03-10', 'CHANGE', 'gold-evergreen'],
          ],
        },
      },
    }),
    march: { ...NOTHING, closing: 3000, movements: { new: 3000 }, arpu: 3000 },
  },
  // One live customer at 0, who leaves: a logo churn of 1/1; there is no MRR to lose, so those rates are null.
  'a free plan that ends': {
    scenario: trap({ subscriptions: { S: held('free', '2025-01-10', '2025-03-10') } }),
    march: { ...NOTHING, churned: '1/1' },
  },
  // 0 to 3000 of a customer already live: expansion, not new; 0 before, so no ratio has a denominator.
  'from free to paid': {
    scenario: trap({
      subscriptions: { S: { events: [...held('free', '2025-02-10').events, ['2025-03-10', 'CHANGE', 'gold-evergreen']] } },
    }),
    march: { ...NOTHING, closing: 3000, movements: { expansion: 3000 }, churned: '0/1', arpu: 3000 },
  },
  // 3000 to 0: contraction and no churn; nothing of the 3000 is left, yet the customer stays.
  'from paid to free': {
    scenario: trap({
      subscriptions: { S: { events: [...held('gold', '2025-02-10').events, ['2025-03-10', 'CHANGE', 'free-evergreen']] } },
    }),
    march: {
      ...NOTHING,
      opening: 3000,
      movements: { contraction: -3000 },
      churned: '0/1',
      lost: '0/3000',
      nrr: 0,
      grr: 0,
    },
  },
  // -3000 and +1000 (120 / 12 months) in one bundle: one contraction of 2000; 1000 / 3000 = 0.333333 stays.
  'a swap down in one instant': {
    scenario: trap({
      subscriptions: {
        S1: { bundle: 'b', category: 'STANDALONE', ...held('gold', '2025-01-10', '2025-03-10') },
        S2: { bundle: 'b', category: 'STANDALONE', ...held('year', '2025-03-10') },
      },
    }),
    march: {
      opening: 3000,
      closing: 1000,
      movements: { contraction: -2000 },
      churned: '0/1',
      lost: '0/3000',
      nrr: 0.333333,
      grr: 0.333333,
      arpu: 1000,
    },
  },
  // -1000 and +3000 on one bundle line: one expansion of 2000; (1000 + 2000) / 1000 = 3, and GRR leaves gains out.
  'a swap up under a key used again': {
    scenario: trap({
      subscriptions: {
        S1: { bundle: 'kbcncl-1:b', ...held('silver', '2025-01-10', '2025-03-10') },
        S2: { bundle: 'b', ...held('gold', '2025-03-10') },
      },
    }),
    march: {
      opening: 1000,
      closing: 3000,
      movements: { expansion: 2000 },
      churned: '0/1',
      lost: '0/1000',
      nrr: 3,
      grr: 1,
      arpu: 3000,
    },
  },
  // Different lines are no swap: 1000 lost, 3000 new, which no ratio counts; never without a live subscription.
  'two bundles that change places': {
    scenario: trap({
      subscriptions: { S1: held('silver', '2025-01-10', '2025-03-10'), S2: held('gold', '2025-03-10') },
    }),
    march: {
      opening: 1000,
      closing: 3000,
      movements: { churn: -1000, new: 3000 },
      churned: '0/1',
      lost: '1000/1000',
      nrr: 0,
      grr: 0,
      arpu: 3000,
    },
  },
  // 3000 leaves A and comes to B: movements show it, rates leave it out, so 3000 / 3000 stays and nobody churned.
  'a bundle transfer': {
    scenario: trap({
      accounts: { A: {}, B: {} },
      subscriptions: {
        old: { bundle: 'kbtsf-1:b', ...held('gold', '2025-01-10') },
        new: {
          account: 'B',
          bundle: 'b',
          original_start: '2025-01-10',
          events: [['2025-03-10', 'TRANSFER', 'gold-evergreen']],
        },
      },
    }),
    march: {
      opening: 3000,
      closing: 3000,
      movements: { churn: -3000, new: 3000 },
      churned: '0/1',
      lost: '0/3000',
      nrr: 1,
      grr: 1,
      arpu: 3000,
    },
  },
  // 3000 and EUR 2000 × 1.10 = 2200: 5200; 3000 goes, 2200 / 5200 = 0.423077 stays.
  'two currencies': {
    scenario: trap({
      accounts: { A: {}, B: { currency: 'EUR' } },
      subscriptions: { S1: held('gold', '2025-01-10', '2025-03-10'), S2: { account: 'B', ...held('gold', '2025-01-10') } },
      rates: EURO,
    }),
    march: {
      opening: 5200,
      closing: 2200,
      movements: { churn: -3000 },
      churned: '1/2',
      lost: '3000/5200',
      nrr: 0.423077,
      grr: 0.423077,
      arpu: 2200,
    },
  },
  // 3000 + 3000; the one without a country leaves: half of the customers and of the MRR.
  'no country': {
    scenario: trap({
      accounts: { A: { country: null }, B: { country: 'DE' } },
      subscriptions: { S1: held('gold', '2025-01-10', '2025-03-10'), S2: { account: 'B', ...held('gold', '2025-01-10') } },
    }),
    march: {
      opening: 6000,
      closing: 3000,
      movements: { churn: -3000 },
      churned: '1/2',
      lost: '3000/6000',
      nrr: 0.5,
      grr: 0.5,
      arpu: 3000,
    },
  },
  // Both subscriptions end in one second, with the tags that closing leaves: 3000 + 1000 lost, one customer.
  'an account closed by the engine': {
    scenario: trap({
      subscriptions: {
        S1: held('gold', '2025-01-10', '2025-03-10 08:00:00'),
        S2: held('silver', '2025-01-10', '2025-03-10 08:00:00'),
      },
      tags: Object.values(CONTROL_TAGS).map((tag_definition_id) => ({
        object_id: 'A',
        object_type: 'ACCOUNT',
        tag_definition_id,
        created_date: '2025-03-10 08:00:00',
      })),
    }),
    march: {
      ...NOTHING,
      opening: 4000,
      movements: { churn: -4000 },
      churned: '1/1',
      lost: '4000/4000',
      nrr: 0,
      grr: 0,
    },
  },
}
