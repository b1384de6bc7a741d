import { skipToken, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { components } from '../../client/index.ts'
import { labelOfField } from '../format/labels.ts'
import { client } from './client.ts'

type MetricFields = components['schemas']['MetricFields']

const FRESH_MS = 60_000

/** Saved segments, last changed first. */
export function useSegments() {
  return useQuery({
    queryKey: ['segments'],
    queryFn: async ({ signal }) => (await client.get('/api/segments', { signal })).data,
    staleTime: FRESH_MS,
  })
}

/**
 * Dimensions and filters of a metric. Tenants are offered by name, and only if there are several. Sends no request while `metric` is
 * undefined.
 */
export function useFields(metric: string | undefined) {
  const { data: tenants = [] } = useTenants()
  const hasTenants = tenants.length > 1
  return useQuery({
    select: useCallback((fields: MetricFields) => withTenants(fields, hasTenants), [hasTenants]),
    queryKey: ['fields', metric],
    queryFn: metric === undefined ? skipToken : ({ signal }) => fieldsOf(metric, signal),
    staleTime: FRESH_MS,
  })
}

/**
 * The queries that answer one number, of all metrics, in the order of the API. Undefined until every metric has answered. A metric that
 * cannot answer has none.
 */
export function useNumbers() {
  const { data: metrics } = useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => (await client.get('/api/metrics', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const answers = useQueries({
    queries: (metrics ?? []).map((metric) => ({
      queryKey: ['fields', metric],
      queryFn: ({ signal }: { signal: AbortSignal }) => fieldsOf(metric, signal),
      staleTime: FRESH_MS,
    })),
  })
  if (metrics === undefined || answers.some(({ isPending }) => isPending)) return undefined
  return metrics.flatMap((metric, place) => (answers[place]?.data?.numbers ?? []).map((number) => ({ metric, ...number })))
}

// Books have no tenants. Their field `source_id` is the name of a connection.
function withTenants(fields: MetricFields, hasTenants: boolean): MetricFields {
  if (!fields.filters.some(({ key }) => key === 'tenant')) return fields
  const isOffered = ({ key }: { readonly key: string }) => key !== 'source_id' && (key !== 'tenant' || hasTenants)
  return { ...fields, dimensions: fields.dimensions.filter(isOffered), filters: fields.filters.filter(isOffered) }
}

/** Plans are grouped and filtered by id, but the page calls the field “Plan”. */
const HIDDEN_FIELDS = ['plan_name']

interface NamedField {
  readonly key: string
  readonly label: string
}

/** Dimensions and attributes that a query type can be grouped by, with their names on the page. */
export function groupsOffered(fields: MetricFields | undefined, query: string): readonly NamedField[] {
  const all = [...(fields?.dimensions ?? []), ...(fields?.attributes ?? [])]
  return all
    .filter(({ key, queries }) => queries.includes(query) && !HIDDEN_FIELDS.includes(key))
    .map((field) => ({ key: field.key, label: labelOfField(field) }))
}

/** Fields that a metric can be filtered by, with their names on the page. */
export function filtersOffered(fields: MetricFields | undefined) {
  return (fields?.filters ?? [])
    .filter(({ key }) => !HIDDEN_FIELDS.includes(key))
    .map((field) => ({ ...field, label: labelOfField(field) }))
}

async function fieldsOf(metric: string, signal: AbortSignal) {
  return (await client.get('/api/metrics/{metric}/fields', { path: { metric }, signal })).data
}

const ATTRIBUTE = 'attr.'
/** Most values of an attribute that are suggested. */
const MOST_VALUES = 1_000

/**
 * The values that rows have in a field, for menus, with their number: null if the API does not list them. `search` is a part of a value; the values of an
 * attribute come without it. Sends no request while the metric or the field is undefined.
 */
export function useFieldValues(metric: string | undefined, field: string | undefined, search: string) {
  return useQuery({
    queryKey: ['field-values', metric, field, search],
    queryFn:
      metric === undefined || field === undefined
        ? skipToken
        : ({ signal }) =>
            field.startsWith(ATTRIBUTE) ? attributeValues(field, signal) : fieldValues(metric, field, search, signal),
    staleTime: FRESH_MS,
  })
}

async function fieldValues(metric: string, field: string, search: string, signal: AbortSignal) {
  const query = search === '' ? {} : { search }
  return (await client.get('/api/metrics/{metric}/fields/{field}/values', { path: { metric, field }, query, signal })).data
}

async function attributeValues(field: string, signal: AbortSignal) {
  const path = { key: field.slice(ATTRIBUTE.length) }
  const { values } = (await client.get('/api/attributes/{key}/values', { path, query: { limit: MOST_VALUES }, signal })).data
  return { values: values.map(String), count: values.length }
}

/** Fields for conditions of segments, with example values. */
export function useSegmentFields(isAsked = true) {
  return useQuery({
    queryKey: ['segment-fields'],
    queryFn: async ({ signal }) => (await client.get('/api/segments/fields', { signal })).data,
    enabled: isAsked,
    staleTime: FRESH_MS,
  })
}

/** Tenants that the service serves. */
export function useTenants() {
  return useQuery({
    queryKey: ['tenants'],
    queryFn: async ({ signal }) => (await client.get('/api/tenants', { signal })).data,
    staleTime: FRESH_MS,
  })
}

/**
 * The metrics and lists that no source can supply, by the API's names. Empty while that is not known, and for users who may not see the
 * sources.
 */
export function useUnsupported(): readonly string[] {
  const { data = [] } = useSources()
  const [first, ...others] = data.filter(({ kind }) => kind === 'database')
  return (first?.unsupported ?? []).filter((name) => others.every(({ unsupported }) => unsupported.includes(name)))
}

/** Whether there are expenses: books that are connected, or imported files. True for users who may not see the sources. */
export function useHasBooks(): { readonly hasBooks: boolean; readonly isPending: boolean } {
  const { data, isPending } = useSources()
  return { hasBooks: data?.some(({ kind }) => kind !== 'database') ?? true, isPending }
}

/** Sources of billing and accounting data. */
export function useSources() {
  return useQuery({
    queryKey: ['sources'],
    queryFn: async ({ signal }) => (await client.get('/api/sources', { signal })).data,
    staleTime: FRESH_MS,
  })
}
