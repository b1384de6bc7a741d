import { client } from '../api/client.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { useChange } from './resources.ts'

interface OfChart {
  readonly chart: { readonly id: string; readonly name: string }
}

/** Renames a saved chart, wherever it stands. */
export function RenameChart({ chart }: OfChart) {
  const rename = useChange((name: string) => client.put('/api/charts/{id}', { path: { id: chart.id }, body: { name } }))
  return (
    <NameDialog
      label="Rename"
      title={`Rename “${chart.name}”`}
      action="Rename"
      value={chart.name}
      onSave={(name) => rename.mutateAsync(name)}
    />
  )
}

/** Deletes a saved chart, once that is confirmed. */
export function DeleteChart({ chart }: OfChart) {
  const remove = useChange(() => client.delete('/api/charts/{id}', { path: { id: chart.id } }))
  return (
    <>
      <ConfirmButton
        label="Delete"
        title={`Delete “${chart.name}”?`}
        consequence="This removes the chart from every dashboard. You can’t undo this. The underlying data doesn’t change."
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
      {remove.error !== null && <Problem error={remove.error} />}
    </>
  )
}
