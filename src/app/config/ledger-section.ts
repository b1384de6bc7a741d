import * as z from 'zod'
import { POSTED_ACCOUNTS } from '../../core/ledger-accounts.ts'
import { MOST_CLOSE_DAYS } from '../../core/ledger-options.ts'

const CLOSE_WORDS = `a whole number of days from 0 to ${MOST_CLOSE_DAYS}`

const name = z.string().min(1)

const KNOWN: readonly string[] = POSTED_ACCOUNTS

/** Accounts that may have a name for a kind of charge or a plan. */
const DIVIDED = ['deferred_revenue', 'revenue']

/** The section `ledger`. `revenue.usage = "4010"` and `revenue = { usage = "4010" }` mean the same. */
export const ledgerSection = z.strictObject({
  accounts: z
    .record(z.string(), z.union([name, z.record(z.string(), name)], { error: 'must be the name or code of an account' }))
    .transform((accounts) =>
      Object.fromEntries(
        Object.entries(accounts).flatMap(([account, value]) =>
          typeof value === 'string'
            ? [[account, value] as const]
            : Object.entries(value).map(([part, own]) => [`${account}.${part}`, own] as const),
        ),
      ),
    )
    .superRefine((accounts, context) => {
      for (const key of Object.keys(accounts)) {
        const [account = '', part] = key.split('.', 2)
        if (part !== undefined && !DIVIDED.includes(account) && KNOWN.includes(account))
          context.addIssue({ code: 'custom', message: `${account} has no parts: only ${DIVIDED.join(' and ')} have` })
        if (!KNOWN.includes(account))
          context.addIssue({ code: 'custom', message: `has no account ${account}; the accounts are ${KNOWN.join(', ')}` })
      }
    })
    .optional()
    .describe(
      'Names or codes of accounts in your books, in the journal. For a kind of charge or a plan: revenue.usage, deferred_revenue.pro-annual; absent: our names',
    )
    .meta({ example: { accounts_receivable: '1200', 'revenue.usage': '4010' } }),
  close_days: z
    .int(CLOSE_WORDS)
    .min(0, CLOSE_WORDS)
    .max(MOST_CLOSE_DAYS, CLOSE_WORDS)
    .optional()
    .describe(
      'Days after the end of a month on which you close its books. Each month then shows the revenue that was known on that day, and later postings are revenue of a later month; absent: months show all that is known now',
    )
    .meta({ example: 5 }),
  customer: name
    .optional()
    .describe('Customer on lines of receivables that are a sum, for QuickBooks; absent: none')
    .meta({ example: 'Plumbline' }),
})
