import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'

export type Dashboard = components['schemas']['DashboardWithCharts']

/** Under which all of them are kept. */
export const ALL = ['boards'] as const

/** The user's dashboards, the last changed first. */
export function useDashboards(isAsked = true) {
  return useQuery({
    queryKey: [...ALL, 'list'],
    queryFn: async ({ signal }) => (await client.get('/api/dashboards', { signal })).data,
    enabled: isAsked,
  })
}

/** One dashboard with all that stands on it. */
export function useDashboard(id: string) {
  return useQuery({
    queryKey: dashboardKey(id),
    queryFn: async ({ signal }) => (await client.get('/api/dashboards/{id}', { path: { id }, signal })).data,
  })
}

/** Under which a dashboard is kept. */
export function dashboardKey(id: string) {
  return [...ALL, 'one', id] as const
}

/** The user's saved charts, the last changed first. */
export function useSavedCharts() {
  return useQuery({
    queryKey: [...ALL, 'charts'],
    queryFn: async ({ signal }) => (await client.get('/api/charts', { signal })).data,
  })
}

/** Changes something of the dashboards and charts; what is shown of them is asked for again, changed or refused. */
export function useChange<Input = void>(change: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: ALL }) })
}
