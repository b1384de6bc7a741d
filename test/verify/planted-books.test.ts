import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { createProduct } from '../../src/app/bin/product.ts'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { OpenProduct } from '../../src/facades/cli/product.ts'
import { runOver } from '../cli/run-product.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Account, type Invoice, invoiceId, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { type EngineOptions, engineOver } from '../support/product/recorded-engine.ts'

const OVER = '00000030-0000-4000-8000-100000000001'
const LOWERED = '00000030-0000-4000-8000-100000000002'
const VOIDED = '00000030-0000-4000-8000-100000000003'

const ACCOUNTS: readonly Account[] = Array.from({ length: 5 }, () => ({ currency: 'USD' }))

/** A quarter that is over, a year of which more than all is taken off, a void, a payment with a refund, and a parent with its child. */
const INVOICES: readonly Invoice[] = [
  {
    account: 1,
    on: '2025-01-15',
    items: [{ id: OVER, type: 'RECURRING', amount: '100.00', days: ['2025-01-15', '2025-04-15'] }],
    paid: [
      ['2025-01-20', '100.00'],
      ['2025-03-01', '-30.00', 'REFUND'],
    ],
  },
  {
    account: 1,
    on: '2025-02-01',
    items: [{ id: LOWERED, type: 'RECURRING', amount: '120.00', days: ['2025-02-01', '2026-02-01'] }],
  },
  { account: 1, on: '2025-03-01', items: [{ type: 'ITEM_ADJ', amount: '-130.00', link: LOWERED }] },
  {
    account: 1,
    on: '2025-03-01',
    voided: '2025-03-10',
    items: [{ id: VOIDED, type: 'RECURRING', amount: '31.00', days: ['2025-03-01', '2025-04-01'] }],
  },
  { account: 2, on: '2025-03-10', items: [{ type: 'EXTERNAL_CHARGE', amount: '40.00' }] },
  {
    account: 3,
    on: '2025-03-20',
    isParent: true,
    links: [5],
    items: [{ type: 'PARENT_SUMMARY', amount: '40.00', child: 2 }],
    paid: [['2025-04-02', '20.00']],
  },
  // A child whose parent's invoice is still a draft: the list of invoices has a balance of 0 for it.
  { account: 4, on: '2025-06-10', items: [{ type: 'EXTERNAL_CHARGE', amount: '93.00' }] },
  {
    account: 5,
    on: '2025-06-11',
    status: 'DRAFT',
    isParent: true,
    links: [7],
    items: [{ type: 'PARENT_SUMMARY', amount: '93.00', child: 4 }],
  },
]

const RANGE = { start: '2025-01-01', end: '2025-06-30' }

/** A relation of the product, a text of it, and what the defect puts in its place. */
type Mutant = readonly [file: string, from: string, to: string]

const MUTANTS: readonly (readonly [what: string, mutant: Mutant, check: string, id: string, message: string])[] = [
  [
    'a charge below 0 that goes on being spread (R9, J3)',
    ['relations/charge_version.sql', 'or (version.net_cents < 0 and version.charged_cents >= 0)', 'or (1 = 0)'],
    'books_by_record',
    '2',
    'is deferred or unbilled with the other sign',
  ],
  [
    'a charge that never comes to its end (R9, J11)',
    ['relations/kept_stretch.sql', 'else stretch.whole_days end as whole', 'else stretch.whole_days + 1 end as whole'],
    'books_by_record',
    '1',
    'has not recognized what it charged',
  ],
  [
    'a refund that leaves the balance as it was (R14, J16)',
    [
      'relations/open_balance.sql',
      "when entry.term = 'write_off' then 0 - entry.amount_cents else",
      "when entry.term = 'write_off' then 0 - entry.amount_cents when entry.term = 'refund' then 0 else",
    ],
    'books_by_record',
    invoiceId(1),
    'is open with other amounts in the list of invoices and in the ledger: 3000 and 0',
  ],
  [
    'a void that takes nothing back (R3, J16)',
    ['relations/ledger_entry.sql', 'or (side.step = 1 and own.gone_on <= :known_on)', 'or (1 = 0)'],
    'books_by_record',
    invoiceId(4),
    'is open with other amounts in the list of invoices and in the ledger: 0 and 3100',
  ],
  [
    'a charge that is known before its invoice (R8, J14)',
    ['relations/charge_part.sql', "when :unbilled = 'accrue' and served.first_day", "when :unbilled <> '' and served.first_day"],
    'books_add_up',
    '',
    'receivables',
  ],
]

oneEngineInRotation('defects in the books', (target) => {
  let database: TestDatabase
  const folders: string[] = []
  beforeAll(async () => {
    const late: Invoice = {
      account: 1,
      on: '2025-07-03',
      items: [{ type: 'USAGE', amount: '30.00', days: ['2025-06-01', '2025-07-01'] }],
    }
    database = (await fillDatabase(target, ledgerRows(ACCOUNTS, [...INVOICES, late]))).database
  })
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

  const verify = async (check: string, options: EngineOptions = {}) => {
    const engine = await engineOver(database, { now: new Date('2025-07-05T00:00:00Z'), ...options })
    return (await engine.verification.run({ ...RANGE, check: [check] })).checks
  }

  /** The catalog of the product with a defect in one of its files. */
  const catalogWith = async ([file, from, to]: Mutant) => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-planted-'))
    folders.push(folder)
    await cp(join(packageRoot(), 'sql'), folder, { recursive: true })
    const text = await readFile(join(folder, file), 'utf8')
    expect(text, file).toContain(from)
    await writeFile(join(folder, file), text.replace(from, to))
    return loadCatalog({ sql: folder, relations: [createKillbillConnector({ tenant: [], catalog: [] }).relationsDirectory] })
  }

  it.each(MUTANTS)('%s is found', async (_, mutant, check, id, message) => {
    const [found] = await verify(check, { catalog: await catalogWith(mutant) })
    expect(found).toMatchObject({ name: check, ok: false, message: expect.stringContaining(message) })
    if (id !== '') expect(found?.ids).toContain(id)
  })

  /** The close of June over this engine: its end, its lines and the page of its directory. */
  const closeJune = async (options: EngineOptions = {}) => {
    const cwd = await mkdtemp(join(tmpdir(), 'plumbline-closed-'))
    folders.push(cwd)
    const engine = await engineOver(database, { now: new Date('2025-07-05T00:00:00Z'), ...options })
    const opened = { engine, today: '2025-07-05', close: () => engine.close() } as unknown as OpenProduct
    const product = { ...createProduct({ environment: {}, cwd, home: undefined }), open: async () => opened }
    const ran = await runOver(product, ['ledger', 'close', '2025-06', '--out', join(cwd, 'books')])
    return { ...ran, page: await readFile(join(cwd, 'books', 'README.md'), 'utf8') }
  }

  it.each(MUTANTS)('%s fails the close of a month', async (_, mutant, check) => {
    const { code, stdout, page } = await closeJune({ catalog: await catalogWith(mutant) })
    expect(code, stdout).toBe(5)
    expect(stdout).toMatch(new RegExp(`^FAILED +${check}: `, 'm'))
    expect(page).toContain(`- FAILED: ${check}: `)
  })

  it('a month of the product closes, with both checks', async () => {
    const { code, stdout } = await closeJune()
    expect(code, stdout).toBe(0)
    for (const check of ['books_add_up', 'books_by_record']) expect(stdout).toMatch(new RegExp(`^ok +${check}: [1-9]`, 'm'))
  })

  it('there are none in the product', async () => {
    const [records] = await verify('books_by_record')
    // Seven charges, the customers and the invoices outside of the family.
    expect(records).toMatchObject({ ok: true, is_complete: true, parts: 3, parts_done: 3 })
    expect(records?.count).toBeGreaterThan(8)
    expect(await verify('books_add_up')).toMatchObject([{ ok: true, is_complete: true }])
  })
})
