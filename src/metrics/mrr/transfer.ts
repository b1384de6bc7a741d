import { fieldsOf, type QueryRequest } from '../../query/request.ts'

/** True when MRR can enter or leave a slice without a movement, because a value that groups or filters changes during a life (D37). */
export function canTransfer(request: QueryRequest): boolean {
  return fieldsOf(request).some((field) => field.constant !== 'always')
}
