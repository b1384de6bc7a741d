import { AppError } from '../../core/errors.ts'
import { isStorable } from '../../core/text.ts'
import { collectIssues, throwIssues } from '../../query/issues.ts'
import type { SegmentVocabulary } from '../../query/segment-fields.ts'
import type { Answering, Work } from '../answering.ts'
import type { RawInput } from '../answers.ts'
import { parseBody } from '../body.ts'
import { locateCustomer } from '../data/answer.ts'
import { type DataOffer, parseData } from '../data/request.ts'
import type { EngineDependencies } from '../dependencies.ts'
import type { KnownAttribute } from '../known-attributes.ts'
import type { AttributeImportOptions, AttributeImportResult } from '../ports.ts'
import { attributeStore } from '../stores.ts'
import { VALUES_BODY } from './bodies.ts'
import { computedAttributes } from './computed.ts'
import { changeAttribute, type Declared, declareAttribute, type Known } from './declare.ts'
import { customerSearch } from './find-customers.ts'
import { type CustomerAttributePage, readPage } from './page.ts'
import { refuseOwned, type SetAnswer, setValues } from './set-values.ts'
import { type AttributeValues, distinctValues } from './values.ts'

/** The attributes of customers (http-api.md 7). */
export interface AttributeResource {
  /** Stored ones, the engine's own and computed ones, by key. */
  list(): Promise<readonly KnownAttribute[]>
  /** AppError `validation_failed`, `conflict`, `read_only_attribute`. */
  declare(body: unknown): Promise<Declared>
  /** AppError `validation_failed`, `not_found`, `read_only_attribute`. */
  update(key: string, body: unknown): Promise<KnownAttribute>
  /** Different values, for completion. AppError `not_found`, `invalid_value`. */
  values(key: string, params?: RawInput): Promise<AttributeValues>
  /** A page of all customers' values. AppError `invalid_value`. */
  page(params?: RawInput): Promise<CustomerAttributePage>
  /** Sets values of a customer, all or none. */
  set(customer: string, body: unknown, params?: RawInput): Promise<SetAnswer>
  /** AppError `not_found` for the customer and for the value. */
  remove(customer: string, key: string, params?: RawInput): Promise<void>
  /** Imports a CSV file, all or nothing. AppError `invalid_csv`, `payload_too_large`, `read_only_attribute`. */
  import(source: AsyncIterable<string | Uint8Array>, options: AttributeImportOptions): Promise<AttributeImportResult>
}

const PLAIN = { fields: [], statuses: [], takesDays: false, takesSegment: false } as const
const PAGE_OFFER: DataOffer = { ...PLAIN, own: ['limit', 'offset', 'search', 'source_id'] }
const VALUES_OFFER: DataOffer = { ...PLAIN, own: ['limit'] }
const CUSTOMER_OFFER: DataOffer = { ...PLAIN, own: ['source_id'] }

/** Attributes over the side store and the engine's database; `vocabulary` has the computed ones. */
export function createAttributeResource(
  deps: EngineDependencies,
  answering: Answering,
  vocabulary: SegmentVocabulary,
): AttributeResource {
  const computed = computedAttributes(vocabulary)
  const at = () => deps.clock.now().toISOString()
  const inSession = async <T>(work: (around: Work) => Promise<T>): Promise<T> => {
    const { done } = await answering.answer(deps.clock.now(), { source: 'replica' }, async (around) => ({
      done: await work(around),
    }))
    return done
  }
  const allKnown = async ({ session }: Work): Promise<Known> =>
    new Map([
      ...(await session.attributes.definitions()),
      ...[...computed].map(([key, { attribute }]) => [key, attribute] as const),
    ])
  const request = (params: RawInput, offer: DataOffer) => parseData(params, {}, offer, deps.clock.now())

  return {
    list: async () => [...(await inSession(allKnown)).values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    async declare(body) {
      const store = attributeStore(deps)
      return declareAttribute(body, await inSession(allKnown), store, at())
    },
    async update(key, body) {
      const store = attributeStore(deps)
      return changeAttribute(key, body, await inSession(allKnown), store, at())
    },
    async values(key, params = {}) {
      const { limit } = request(params, VALUES_OFFER)
      return inSession((around) => distinctValues(key, limit, computed, deps, around))
    },
    async page(params = {}) {
      const { key, ...others } = params
      const parsed = request(others, PAGE_OFFER)
      return inSession((around) => readPage(parsed, readKey(key), deps, around))
    },
    async set(customer, body, params = {}) {
      const store = attributeStore(deps)
      const { source_id } = request(params, CUSTOMER_OFFER)
      const { attributes } = parseBody(VALUES_BODY, body)
      const [found, known] = await inSession(
        async (around) => [await locateCustomer(customer, source_id, deps, around), await allKnown(around)] as const,
      )
      return setValues(found, attributes, known, store, at())
    },
    async remove(customer, key, params = {}) {
      const store = attributeStore(deps)
      const { source_id } = request(params, CUSTOMER_OFFER)
      const found = await inSession(async (around) => {
        const located = await locateCustomer(customer, source_id, deps, around)
        refuseOwned([key], await allKnown(around))
        return located
      })
      const isGone = await store.change((writer) => writer.remove(found, key))
      if (!isGone) throw new AppError('not_found', 'The customer has no value of this attribute.')
    },
    async import(source, options) {
      const store = attributeStore(deps)
      if (deps.importAttributes === undefined) throw new AppError('unsupported_by_connector', 'Nothing here reads CSV files.')
      const findCustomers = await customerSearch(deps)
      const known = await inSession(allKnown)
      const refuse = async (keys: readonly string[]) => refuseOwned(keys, known)
      return deps.importAttributes(source, options, { store, at: at(), refuseOwned: refuse, findCustomers })
    },
  }
}

function readKey(raw: unknown): string | undefined {
  if (raw === undefined || raw === '') return undefined
  if (typeof raw === 'string' && isStorable(raw)) return raw
  const { report, issues } = collectIssues()
  report('invalid_value', 'params.key', '"key" is one key of an attribute.', { value: raw })
  throwIssues(issues)
  return undefined
}
