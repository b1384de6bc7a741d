import Big from 'big.js'
import { isObject } from '../../../core/json.ts'
import type { Answer } from '../../../engine/engine.ts'
import { recordsOf } from '../table.ts'

/** A check of a pack. */
export interface PackCheck {
  readonly name: string
  readonly ok: boolean
  readonly message: string
}

type Answers = ReadonlyMap<string, Answer>

/**
 * Checks the tables of a pack against each other. Every entry of the journal balances, and the journal moves the trial balance from `opening`, that
 * of the day before, to its end. Receivables by age and the open invoices are those of the trial balance, and so are the ends of the other
 * statements.
 */
export function checkPack(answers: Answers, opening: Answer): readonly PackCheck[] {
  const table = (name: string) => rowsOf(answers.get(name))
  const closing = table('trial-balance')
  const receivable = amountOf(closing, 'accounts_receivable')
  const entries = sumsBy(table('journal'), 'entry', 'debit_cents', 'credit_cents')
  const uneven = [...entries].filter(([, balance]) => !balance.eq(0))
  const moved = sumsBy(table('journal'), 'account', 'debit_cents', 'credit_cents')
  const accounts = [...new Set([...moved.keys(), ...closing.map((row) => String(row['account']))])]
  const wrong = accounts.filter((account) => {
    const change = amountOf(closing, account).minus(amountOf(rowsOf(opening), account))
    return !change.eq(moved.get(account) ?? 0)
  })
  const ages = sum(table('receivables'), 'balance')
  const invoices = table('open-invoices')
  const open = sum(invoices, 'balance_base_cents')
  const ends = ENDS.filter(({ file, column, account, sign }) => {
    const last = table(file).at(-1)
    return last !== undefined && !decimal(last[column]).eq(amountOf(closing, account).times(sign))
  })
  return [
    ...bridgeChecks(answers),
    checkOf(
      'statements_end_with_trial_balance',
      ends.length === 0,
      `${ENDS.length} statements end with the accounts of the trial balance`,
      `another end in ${names(ends.map(({ file, column }) => `${file}.${column}`))}`,
    ),
    checkOf(
      'journal_entries',
      uneven.length === 0,
      `${entries.size} entries balance`,
      `not balanced: ${names(uneven.map(([id]) => id))}`,
    ),
    checkOf(
      'journal_moves_trial_balance',
      wrong.length === 0,
      'the journal moves the trial balance of the day before to that of the last day',
      `another movement in ${names(wrong)}`,
    ),
    checkOf('ages_are_receivables', ages.eq(receivable), `${ages} by age`, `${ages} by age, ${receivable} in the trial balance`),
    checkOf(
      'open_invoices_are_receivables',
      open.eq(receivable),
      `${invoices.length} open invoices`,
      `${open} of open invoices, ${receivable} in the trial balance`,
    ),
  ]
}

/** The steps from MRR add up to the recognized revenue of the month. There is no check if the pack has no bridge. */
function bridgeChecks(answers: Answers): readonly PackCheck[] {
  const [bridge] = rowsOf(answers.get('mrr-bridge'))
  if (bridge === undefined) return []
  const { recognized, ...steps } = bridge
  const revenue = sum(rowsOf(answers.get('revenue')), 'recognized')
  const end = Object.values(steps).reduce<Big>((total, amount) => total.plus(decimal(amount)), new Big(0))
  return [
    checkOf(
      'mrr_bridge_ends_with_revenue',
      end.eq(revenue) && decimal(recognized).eq(revenue),
      `MRR of ${decimal(bridge['mrr'])} and its steps are recognized revenue of ${revenue}`,
      `the steps from MRR are ${end}, recognized revenue is ${revenue}`,
    ),
  ]
}

/** Columns of statements that are accounts of the trial balance: `sign` is 1 for a debit, and -1 for a credit. */
const ENDS = [
  { file: 'revenue', column: 'closing_deferred', account: 'deferred_revenue', sign: -1 },
  { file: 'revenue', column: 'closing_unbilled', account: 'unbilled_receivables', sign: 1 },
  { file: 'movements', column: 'closing_receivables', account: 'accounts_receivable', sign: 1 },
] as const

function checkOf(name: string, ok: boolean, holds: string, fails: string): PackCheck {
  return { name, ok, message: ok ? holds : fails }
}

function names(all: readonly string[]): string {
  return all.slice(0, 5).join(', ')
}

type Records = readonly Readonly<Record<string, unknown>>[]

function rowsOf(answer: Answer | undefined): Records {
  return answer === undefined ? [] : recordsOf(answer).filter(isObject)
}

function decimal(value: unknown): Big {
  return new Big(typeof value === 'string' || typeof value === 'number' ? value : 0)
}

function sum(rows: Records, column: string): Big {
  return rows.reduce((total, row) => total.plus(decimal(row[column])), new Big(0))
}

/** Debit less credit of an account in a trial balance. */
function amountOf(rows: Records, account: string): Big {
  const own = rows.filter((row) => row['account'] === account)
  return sum(own, 'debit').minus(sum(own, 'credit'))
}

function sumsBy(rows: Records, key: string, debit: string, credit: string): ReadonlyMap<string, Big> {
  const sums = new Map<string, Big>()
  for (const row of rows) {
    const name = String(row[key])
    sums.set(name, (sums.get(name) ?? new Big(0)).plus(decimal(row[debit])).minus(decimal(row[credit])))
  }
  return sums
}
