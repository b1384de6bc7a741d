import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Problem } from '../parts/problem.tsx'

/** Deletes a segment, once that is confirmed. */
export function DeleteButton({ segment, onDone }: { segment: { id: string; name: string }; onDone: () => void }) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.delete('/api/segments/{id}', { path: { id: segment.id } }),
    onSuccess: async () => {
      onDone()
      await queries.invalidateQueries({ queryKey: ['segments'] })
    },
  })
  return (
    <>
      <ConfirmButton
        label="Delete"
        title={`Delete “${segment.name}”?`}
        consequence="Customers and metrics don’t change. Links and saved charts that use this segment will show an error."
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
      {remove.error !== null && <Problem error={remove.error} />}
    </>
  )
}
