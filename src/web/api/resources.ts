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

/** Sources of billing and accounting data. */
export function useSources() {
  return useQuery({
    queryKey: ['sources'],
    queryFn: async ({ signal }) => (await client.get('/api/sources', { signal })).data,
    staleTime: FRESH_MS,
  })
}
