import type { CheckFinding, ConnectorSession } from '../../src/connector-kit/connector.ts'
import { grantsRemedy, readPlace } from '../../src/connector-kit/grants.ts'
import { parseInteger, type QueryRunner } from '../../src/connector-kit/query-runner.ts'
import type { Definitions } from '../../src/core/definitions.ts'
import { RETURNS, type ReturnTable, type Scope } from './documents.ts'
import { countUnplaced, knowsRefunds } from './expanded/refunds.ts'
import type { Mirror } from './schema.ts'
import { SCHEMA } from './tables.ts'

/** Tables that lead from a refund to its invoice. A mirror may lack one of them. */
const LEADING: readonly ReturnTable[] = ['charges', 'invoice_payments']

/** The number of refunds whose invoice is not known. 0 if no refund is known. */
export async function readUnplaced(run: QueryRunner, scope: Scope): Promise<number> {
  if (!knowsRefunds(scope)) return 0
  const [row] = await run('stripe.unplaced_refunds', countUnplaced(scope))
  return parseInteger(row?.['refunds'] ?? 0)
}

/** The warning of answers that subtract refunds, if the invoices of some are not known. */
export function unplacedWarnings(unplaced: number): NonNullable<ConnectorSession['incomplete_relations']> {
  if (unplaced === 0) return []
  const message = `${unplacedText(unplaced)}. They are not subtracted.`
  return [{ reads: ['refund'], message, count: unplaced }]
}

function unplacedText(unplaced: number): string {
  return unplaced === 1
    ? 'The mirror does not name the invoice of a refund or lost dispute'
    : `The mirror does not name the invoices of ${unplaced} refunds and lost disputes`
}

/** Whether refunds are known, and how many lack an invoice. Nothing is wrong as long as no answer subtracts them. */
export async function refundFinding(
  run: QueryRunner,
  { refunds_unknown, returns, returns_denied }: Mirror,
  unplaced: number,
  { refunds }: Pick<Definitions, 'refunds'>,
): Promise<CheckFinding> {
  const name = 'refunds'
  const remedy = returns_denied.length === 0 ? '' : `; ${await remedyFor(run, returns_denied)}`
  const isGap = refunds_unknown !== undefined || returns_denied.length > 0 || unplaced > 0
  const level = isGap && refunds === 'subtract' ? 'warning' : 'ok'
  if (refunds_unknown !== undefined) return { name, level, message: `${refunds_unknown.replace(/\.$/, '')}${remedy}` }
  const lacking = LEADING.filter((table) => !returns.includes(table))
  const unread = lacking.length === 0 ? '' : ` without ${lacking.join(' and ')}`
  const read = `${RETURNS.filter((table) => returns.includes(table)).join(', ')} are read${unread}`
  if (unplaced === 0) return { name, level, message: `every refund has an invoice; ${read}${remedy}` }
  return { name, level, message: `${unplacedText(unplaced)}, so nothing subtracts them; ${read}${remedy}` }
}

async function remedyFor(run: QueryRunner, tables: readonly ReturnTable[]): Promise<string> {
  const place = await readPlace(run, 'stripe', 'postgres')
  return grantsRemedy({ connector: 'stripe', dialect: 'postgres', tables, schema: SCHEMA, ...place })
}
