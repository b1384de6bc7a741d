import type { QueryRunner } from '../../src/connector-kit/query-runner.ts'
import type { Family } from './documents.ts'
export async function checkSchema(_run: QueryRunner, _dialect: string): Promise<Family> {
  return 'documents'
}
