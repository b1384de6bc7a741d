import { inBatches } from '../../../core/batches.ts'
import { AppError, type Issue } from '../../../core/errors.ts'
import {
  type AccountRecord,
  type AccountType,
  type BillRecord,
  FILE_BOOKS,
  type PurchaseRecord,
  type VendorRecord,
} from '../../../core/expense.ts'
import { clipped } from '../../../core/text.ts'
import {
  COUNTED_KINDS,
  type ExpenseImportContext,
  type ExpenseImportOptions,
  type ExpenseImportResult,
  type ExpenseWriter,
  noChanges,
} from '../../../ports/expense-store.ts'
import { csvRows } from '../../csv/records.ts'
import type { CsvSource } from '../../csv/text.ts'
import { createGathering, documentOf } from './document.ts'
import { type ExpenseProblem, type ExpenseRow, OPTIONAL, REQUIRED, readExpenseRow } from './row.ts'

const DOCUMENTS_AT_ONCE = 1_000
const MOST_PROBLEMS = 1_000
const MOST_QUOTED = 200
const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/**
 * Imports bills and expenses (http-api.md 5), streamed and in one transaction. If the source already has a document, the import
 * replaces it with all its lines. After an error nothing is written: AppError `invalid_csv` with every problem by row and column,
 * `payload_too_large`, or `invalid_value` for the name.
 */
export async function importExpenses(
  file: CsvSource,
  { source, onProgress, ...form }: ExpenseImportOptions,
  { store, at }: ExpenseImportContext,
  maxBytes: number,
): Promise<ExpenseImportResult> {
  if (!SOURCE_NAME.test(source)) throw badName(source)
  const source_id = `csv-${source}`
  const problems = createProblems()
  return store.change(async (writer) => {
    const version = await writer.nextVersion(source_id, at)
    const parties = createParties()
    const changed = noChanges()
    let rows_read = 0
    const count = (more: typeof changed) => {
      for (const kind of COUNTED_KINDS) changed[kind] += more[kind]
    }
    const gathering = createGathering(problems.report)
    async function* documents() {
      for await (const row of csvRows(file, REQUIRED, OPTIONAL, { ...form, maxBytes })) {
        rows_read += 1
        const read = readExpenseRow(row, problems.report)
        parties.take(read, problems.report)
        yield gathering.take(read)
      }
      yield gathering.rest()
    }
    for await (const batch of inBatches(recordsOf(documents(), version), DOCUMENTS_AT_ONCE)) {
      onProgress?.(rows_read)
      // After the first problem nothing more is written. The rest is only read, so that all problems are reported at once.
      if (problems.total() === 0) count(await replace(writer, source_id, batch, version))
    }
    problems.throwIfAny()
    await writer.touchSource({ id: source_id, type: FILE_BOOKS, name: source }, at, version)
    const known = await writer.present(source_id, 'account', parties.untyped())
    count(await writer.put(source_id, parties.records(version, known)))
    return { source_id, rows_read, documents: gathering.count(), changed }
  })
}

async function* recordsOf(documents: AsyncIterable<readonly ExpenseRow[]>, at: string) {
  for await (const [first, ...others] of documents) if (first !== undefined) yield documentOf([first, ...others], at)
}

// If an id changes from bill to expense or back, it is still the same document.
async function replace(writer: ExpenseWriter, source_id: string, batch: readonly (BillRecord | PurchaseRecord)[], at: string) {
  for (const [kind, other] of [
    ['bill', 'expense'],
    ['expense', 'bill'],
  ] as const) {
    const ids = batch.flatMap((record) => (record.kind === kind ? [record.external_id] : []))
    const before = await writer.present(source_id, other, ids)
    const deleted = [...before].map((external_id) => ({ kind: other, external_id, updated_at: at }))
    await writer.put(source_id, deleted)
  }
  return writer.put(source_id, batch)
}

/** Vendors and accounts of a file, identified by their names. */
function createParties() {
  const vendors = new Set<string>()
  const accounts = new Map<string, { readonly type: AccountType | null; readonly row: number }>()
  return {
    take({ row, vendor, account, account_type }: ExpenseRow, report: (problem: ExpenseProblem) => void): void {
      if (vendor !== null) vendors.add(vendor)
      if (account === null) return
      const known = accounts.get(account)
      if (known === undefined || known.type === null) accounts.set(account, { type: account_type, row })
      else if (account_type !== null && account_type !== known.type) {
        const reason = `must be ${known.type} as in row ${known.row}, which has the same account`
        report({ row, column: 'account_type', value: account_type, reason })
      }
    },
    untyped: (): readonly string[] => [...accounts].flatMap(([name, { type }]) => (type === null ? [name] : [])),
    /** Leaves out accounts that the store knows and the file gives no type. */
    records(at: string, known: ReadonlySet<string>): readonly (VendorRecord | AccountRecord)[] {
      const common = (name: string) => ({
        external_id: name,
        updated_at: at,
        is_deleted: false,
        metadata: {},
        name,
        is_active: true,
      })
      return [
        ...[...vendors].map((name) => ({ kind: 'vendor' as const, ...common(name) })),
        ...[...accounts]
          .filter(([name]) => !known.has(name))
          .map(([name, { type }]) => ({
            kind: 'account' as const,
            ...common(name),
            account_type: type,
            parent_external_id: null,
          })),
      ]
    },
  }
}

function createProblems() {
  const listed: ExpenseProblem[] = []
  let total = 0
  return {
    report(problem: ExpenseProblem): void {
      total += 1
      if (listed.length < MOST_PROBLEMS) listed.push(problem)
    },
    total: () => total,
    throwIfAny(): void {
      const [first] = listed
      if (first === undefined) return
      const more = total === 1 ? '' : ` There are ${total} problems in all; nothing was imported.`
      const context = { row: first.row, column: first.column, problems_total: total }
      throw new AppError('invalid_csv', `${sentence(first)}${more}`, { context, issues: listed.map(issueOf) })
    },
  }
}

function issueOf(problem: ExpenseProblem): Issue {
  const { value } = problem
  return {
    code: 'invalid_csv',
    where: `body.file[${problem.row}].${problem.column}`,
    value: clipped(value, MOST_QUOTED),
    message: sentence(problem),
    did_you_mean: [],
  }
}

function sentence({ row, column, value, reason }: ExpenseProblem): string {
  const found = value === '' ? '' : `, and is ${JSON.stringify(clipped(value, MOST_QUOTED))}`
  return `Row ${row}: ${column} ${reason}${found}.`
}

function badName(name: string): AppError {
  const message = `source must be a name of 1 to 64 letters, digits, ".", "_" and "-", and is ${JSON.stringify(clipped(name, MOST_QUOTED))}.`
  return new AppError('invalid_value', message, {
    issues: [{ code: 'invalid_value', where: 'params.source', value: clipped(name, MOST_QUOTED), message, did_you_mean: [] }],
  })
}
