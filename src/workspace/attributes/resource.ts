import { AppError } from '../../core/errors.ts'
import { isStorable } from '../../core/text.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import type { Pipeline } from '../../execution/pipeline.ts'
import type { RunContext } from '../../execution/run.ts'
import type { KnownAttribute } from '../../execution/session/attributes/known-attributes.ts'
import { attributeStore, checkKeyCount } from '../../execution/session/stores.ts'
import type { AttributeImportOptions, AttributeImportResult } from '../../ports/attribute-store.ts'
import { type ListInputs, parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import type { SegmentNames } from '../../query/segment-fields.ts'
import { locateCustomer } from '../../records/answer.ts'
import { ATTRIBUTE_VALUES } from '../records/attribute.ts'
import { changeAttribute, type Declared, declareAttribute, type Known } from './declare.ts'
import { customerSearch } from './find-customers.ts'
import { type CustomerAttributePage, readPage } from './page.ts'
import { refuseOwned, type SetAnswer, setValues } from './set-values.ts'
import { type AttributeValues, computedAttributes, distinctValues } from './values.ts'

/** The attributes of customers (http-api.md 7). */
export interface AttributeResource {
  /** Stored attributes, attributes of the engine and computed attributes, by key. */
  list(): Promise<readonly KnownAttribute[]>
  /** AppError `validation_failed`, `conflict`, `read_only_attribute`. */
  declare(body: unknown): Promise<Declared>
  /** AppError `validation_failed`, `not_found`, `read_only_attribute`. */
  update(key: string, body: unknown): Promise<KnownAttribute>
  /** Distinct values, for completion. AppError `not_found`, `invalid_value`. */
  values(key: string, params?: Raw): Promise<AttributeValues>
  /** A page of all customers' values. AppError `invalid_value`. */
  page(params?: Raw): Promise<CustomerAttributePage>
  /** Sets values of a customer, all or nothing. */
  set(customer: string, body: unknown, params?: Raw): Promise<SetAnswer>
  /** AppError `not_found` for the customer and for the value. */
  remove(customer: string, key: string, params?: Raw): Promise<void>
  /** Imports a CSV file, all or nothing. AppError `invalid_csv`, `payload_too_large`, `read_only_attribute`. */
  import(source: AsyncIterable<string | Uint8Array>, options: AttributeImportOptions): Promise<AttributeImportResult>
}

const PLAIN = { fields: [], statuses: [], takesDays: false, takesSegment: false, isPlain: true } as const
const PAGE_INPUTS: ListInputs = { ...PLAIN, own: ['key', 'limit', 'offset', 'search', 'source_id'] }
const VALUES_INPUTS: ListInputs = { ...PLAIN, own: ['limit'] }
const CUSTOMER_INPUTS: ListInputs = { ...PLAIN, own: ['source_id'] }

/**
 * Access to the engine's database. `look` is for short lookups. `read` is for reading many customers and waits in the queue of
 * answers.
 */
interface AttributePipeline {
  readonly look: Pipeline
  readonly read: Pipeline
}

/** Attributes in the side store and in the engine's database. `resolvedNames` holds the computed attributes. */
export function createAttributeResource(
  deps: EngineDependencies,
  { look, read }: AttributePipeline,
  resolvedNames: SegmentNames,
): AttributeResource {
  const computed = computedAttributes(resolvedNames)
  const at = () => (deps.writeClock ?? deps.clock).now().toISOString()
  const inSession = async <T>(work: (context: RunContext) => Promise<T>, pipeline = look): Promise<T> =>
    (await pipeline.read(deps.isHeldOnly === true ? {} : { source: 'replica' }, work)).value
  const allKnown = async ({ session }: RunContext): Promise<Known> =>
    new Map([
      ...(await session.attributes.definitions()),
      ...[...computed].map(([key, { attribute }]) => [key, attribute] as const),
    ])
  const withWorkspace = async (context: RunContext) => ({ known: await allKnown(context), workspace: context.session.workspace })
  const request = (params: Raw, inputs: ListInputs) => parseData(params, {}, inputs, deps.clock.now())

  return {
    list: async () => [...(await inSession(allKnown)).values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    async declare(body) {
      const storeOf = attributeStore(deps)
      const { known, workspace } = await inSession(withWorkspace)
      return declareAttribute(body, known, storeOf(workspace), at())
    },
    async update(key, body) {
      const storeOf = attributeStore(deps)
      const { known, workspace } = await inSession(withWorkspace)
      return changeAttribute(key, body, known, storeOf(workspace), at())
    },
    async values(key, params = {}) {
      const { limit } = request(params, VALUES_INPUTS)
      return inSession((context) => distinctValues(key, limit, computed, deps, context), read)
    },
    async page(params = {}) {
      const parsed = request(params, PAGE_INPUTS)
      return inSession((context) => readPage(parsed, parsed.key, deps, context), read)
    },
    async set(customer, body, params = {}) {
      const storeOf = attributeStore(deps)
      const { source_id } = request(params, CUSTOMER_INPUTS)
      const { attributes } = ATTRIBUTE_VALUES.parse(body)
      checkKeyCount(Object.keys(attributes))
      const { found, known, workspace } = await inSession(async (context) => ({
        found: await locateCustomer(customer, source_id, context),
        ...(await withWorkspace(context)),
      }))
      return setValues(found, attributes, known, storeOf(workspace), at())
    },
    async remove(customer, key, params = {}) {
      const storeOf = attributeStore(deps)
      const { source_id } = request(params, CUSTOMER_INPUTS)
      const { found, workspace } = await inSession(async (context) => {
        const located = await locateCustomer(customer, source_id, context)
        refuseOwned([key], await allKnown(context))
        return { found: located, workspace: context.session.workspace }
      })
      // If no database can hold a key, the key has no value.
      const isGone = isStorable(key) && (await storeOf(workspace).change((writer) => writer.remove(found, key)))
      if (!isGone) throw new AppError('not_found', 'The customer has no value of this attribute.')
    },
    async import(source, options) {
      const storeOf = attributeStore(deps)
      if (deps.importAttributes === undefined)
        throw new AppError('unsupported_by_connector', 'This service cannot read CSV files.')
      const findCustomers = await customerSearch(deps)
      const { known, workspace } = await inSession(withWorkspace)
      const refuse = async (keys: readonly string[]) => refuseOwned(keys, known)
      return deps.importAttributes(source, options, { store: storeOf(workspace), at: at(), refuseOwned: refuse, findCustomers })
    },
  }
}
