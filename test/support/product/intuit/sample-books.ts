import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'lossless-json'
import { packageRoot } from '../../../../src/core/package-root.ts'
import type { Books, Native } from './company-books.ts'

const ENTITIES = ['Vendor', 'Account', 'Item', 'Bill', 'VendorCredit', 'Purchase', 'BillPayment'] as const

/** Sample documents of one kind in the shapes of the public reference, with the digits of their amounts. */
export function sampleRecords(entity: (typeof ENTITIES)[number]): readonly Native[] {
  const file = join(packageRoot(), 'fixtures', 'quickbooks', 'books', `${entity}.json`)
  const records = parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(records)) throw new Error(`${file} is no list`)
  return records
}

/** Puts all sample documents into a company's books. */
export function fillWithSamples(books: Books): void {
  for (const entity of ENTITIES) for (const native of sampleRecords(entity)) books.put(entity, native)
}
