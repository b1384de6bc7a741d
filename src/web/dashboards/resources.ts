import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'

export type Dashboard = components['schemas']['DashboardWithCharts']

/** Prefix of all query keys of dashboards and charts. */
export const ALL = ['boards'] as const

/** The dashboards that the user sees, last changed first. */
export function useDashboards(isAsked = true) {
  return useQuery({
    queryKey: [...ALL, 'list'],
    queryFn: async ({ signal }) => (await client.get('/api/dashboards', { signal })).data,
    enabled: isAsked,
  })
}

/** One dashboard with its sections and charts. */
export function useDashboard(id: string) {
  return useQuery({
    queryKey: dashboardKey(id),
    queryFn: async ({ signal }) => (await client.get('/api/dashboards/{id}', { path: { id }, signal })).data,
  })
}

/** Query key of a dashboard. */
export function dashboardKey(id: string) {
  return [...ALL, 'one', id] as const
}

/** The user's saved charts, last changed first. */
export function useSavedCharts() {
  return useQuery({
    queryKey: [...ALL, 'charts'],
    queryFn: async ({ signal }) => (await client.get('/api/charts', { signal })).data,
  })
}

/** Changes a dashboard or chart, then reloads all of them, even after an error. */
export function useChange<Input = void>(change: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: ALL }) })
}
