import { Empty } from '../parts/states.tsx'

/** In place of what only users with the scope `read` may see. */
export function NeedsRead({ what }: { readonly what: string }) {
  return (
    <Empty>
      {what} need the scope <code>read</code>.
    </Empty>
  )
}
