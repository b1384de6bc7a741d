import { type Books, changedAt, type Native } from './company-books.ts'
import { answerQuery, QueryError } from './query-language.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

const ENTITIES = ['Vendor', 'Account', 'Item', 'Bill', 'VendorCredit', 'Purchase', 'BillPayment', 'Preferences']
/** The most that a question for changes lists. */
const MOST_CHANGES = 1000

/** `/v3/company/<realm>/<path>` of a company's books. */
export function answerApi(books: Books, path: string, parameters: URLSearchParams): Answer {
  const time = new Date().toISOString()
  if (path === 'query') return answered(() => ({ QueryResponse: answerQuery(books, parameters.get('query') ?? ''), time }))
  if (path === 'cdc') return answered(() => ({ CDCResponse: [{ QueryResponse: changes(books, parameters) }], time }))
  const [name = '', id = ''] = path.split('/')
  const entity = ENTITIES.find((known) => known.toLowerCase() === name)
  if (entity === undefined) return fault(400, '500', 'Unsupported Operation', time)
  const native = books.get(entity, id)
  if (native === undefined) return fault(400, '610', 'Object Not Found', time)
  return { status: 200, body: { [entity]: native, time } }
}

/** A fault in the shape of the public reference. */
export function fault(status: number, code: string, message: string, time = new Date().toISOString()): Answer {
  const error = { Message: message, Detail: `${message} : as the double says`, code, element: '' }
  return { status, body: { Fault: { Error: [error], type: 'ValidationFault' }, time } }
}

function answered(work: () => unknown): Answer {
  try {
    return { status: 200, body: work() }
  } catch (error) {
    if (error instanceof QueryError) return fault(400, '4000', `Error parsing query: ${error.message}`)
    throw error
  }
}

/** Kinds come in another order than they were asked for, and one without changes as an empty object. */
function changes(books: Books, parameters: URLSearchParams): readonly Native[] {
  const since = Date.parse(parameters.get('changedSince') ?? '')
  let room = MOST_CHANGES
  return (parameters.get('entities') ?? '')
    .split(',')
    .toReversed()
    .map((entity) => {
      const changed = books.all(entity).filter((native) => Date.parse(changedAt(native)) >= since)
      const deleted = books
        .deleted(entity)
        .filter(({ at }) => Date.parse(at) >= since)
        .map(({ id, at }) => ({ domain: 'QBO', status: 'Deleted', Id: id, MetaData: { LastUpdatedTime: at } }))
      const found: readonly Native[] = [...changed, ...deleted].slice(0, room)
      room -= found.length
      return found.length === 0 ? {} : { [entity]: found, startPosition: 1, maxResults: found.length, totalCount: found.length }
    })
}
