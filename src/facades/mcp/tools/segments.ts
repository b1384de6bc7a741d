import { defineTool } from '../tool.ts'
import { LISTING, listingText } from './listing.ts'

/** The saved segments. */
export const SEGMENTS_TOOL = defineTool({
  name: 'list_segments',
  title: 'List segments',
  description: 'The saved groups of customers, the last changed first. `segment` and `compare_segments` take their names or ids.',
  own: LISTING,
  parameters: [],
  run: async ({ own, engine, options }) => {
    const rows = (await engine.segments.list()).map((segment) => ({ ...segment, warnings: segment.warnings.join(' ') || null }))
    // Descriptions are free text, and conditions may name customers.
    return listingText(
      ['name', 'id', ...(options.numbersOnly === true ? [] : ['description', 'definition', 'warnings'])],
      rows,
      own,
    )
  },
})
