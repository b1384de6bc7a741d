import { Table } from '../parts/table.tsx'
import type { CsvPreview } from './csv-preview.ts'

/** The first rows of a file as they are in it, their columns called as one likes. */
export function FirstRows({
  preview: { header, rows },
  labelOf = (name) => name,
}: {
  preview: CsvPreview
  labelOf?: (name: string) => string
}) {
  return (
    <Table
      caption="First rows of the file"
      columns={header.map((name, place) => ({
        key: `cell ${place}`,
        label: labelOf(name),
        render: (row) => String(row[`cell ${place}`]),
      }))}
      rows={rows.map((row) => Object.fromEntries(header.map((_, place) => [`cell ${place}`, row[place] ?? ''])))}
      currency=""
    />
  )
}
