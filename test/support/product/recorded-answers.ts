import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { OfferedRequest } from './offered-requests.ts'

/** A request over the recorded tenants, and what its answer was when it was written down: status, a blank and the body. */
export type RecordedAnswer = (OfferedRequest | { readonly path: string }) & { readonly sha256: string }

/**
 * Answers of the published product, so that no change of code changes a number unnoticed. Where one is meant to change, run the test
 * that compares them and put its fingerprint here, in a commit that says "numbers change because".
 */
export function recordedAnswers(): readonly RecordedAnswer[] {
  return readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'answers.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedAnswer)
}

/** A short digest of an answer's bytes. */
export function fingerprint(answer: string): string {
  return createHash('sha256').update(answer).digest('hex').slice(0, 16)
}

/** Whether a request is answered by the database itself: invoices, collections, involuntary churn and charges to come are in no cache. */
export function isAnsweredDirectly(path: string, body: unknown = ''): boolean {
  if (path.startsWith('/api/metrics/ledger') && /\bcollections\b/.test(`${path} ${String(body)}`)) return true
  return /^\/api\/(invoices|metrics\/(involuntary_churn|churn\/involuntary)|forecast\/billings)/.test(path)
}
