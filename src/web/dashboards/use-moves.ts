import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { changedPlaces, type Spot, withMoved, withMovedSection } from './order.ts'
import { ALL, boardKey, type Dashboard } from './resources.ts'

type Sections = Dashboard['sections']

const MOVES = ['moves'] as const

/** Moves charts and sections of a dashboard: shown at once, saved one after the other, and as the service has it where it refuses. */
export function useMoves({ id, sections }: Dashboard) {
  const queries = useQueryClient()
  const save = useMutation({
    mutationKey: MOVES,
    scope: { id: 'moves' },
    mutationFn: async (run: () => Promise<void>) => run(),
    // The last one asks again: an answer between two moves would show the older order.
    onSettled: () =>
      queries.isMutating({ mutationKey: MOVES }) === 1 ? queries.invalidateQueries({ queryKey: ALL }) : undefined,
  })
  const show = async (after: Sections, run: () => Promise<void>) => {
    await queries.cancelQueries({ queryKey: boardKey(id) })
    queries.setQueryData(boardKey(id), (board: Dashboard | undefined) => board && { ...board, sections: after })
    save.mutate(run)
  }
  return {
    error: save.error,
    moveChart: (place: string, to: Spot) => {
      const after = withMoved(sections, place, to)
      return show(after, async () => {
        for (const { cid, body } of changedPlaces(sections, after))
          await client.put('/api/dashboards/{id}/charts/{cid}', { path: { id, cid }, body })
      })
    },
    moveSection: (section: string, by: 1 | -1) => {
      const after = withMovedSection(sections, section, by)
      const old = new Map(sections.map((one) => [one.id, one.position]))
      return show(after, async () => {
        for (const { id: sid, position } of after.filter((one) => old.get(one.id) !== one.position))
          await client.put('/api/dashboards/{id}/sections/{sid}', { path: { id, sid }, body: { position } })
      })
    },
  }
}
