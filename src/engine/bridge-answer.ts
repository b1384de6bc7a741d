import * as z from 'zod'
import { declared, type Unit } from '../core/column.ts'

/** Schema of a bridge whose figure has this unit. */
export function bridgeSchema(unit: Unit) {
  const figure = (description: string) => declared(z.number().nullable().describe(description), { unit })
  const end = (which: string) =>
    z.object({ definitions: z.string().describe(`Name of the ${which} definition set`), value: figure(`The figure under it`) })
  return z.object({
    measure: z.string().describe('Field of the figure, as lists of the metric name it'),
    from: end('first'),
    to: end('second'),
    steps: z
      .array(
        z.object({
          option: z.string().describe('Option of the definitions'),
          from: z.string().describe('Its value in the first set'),
          to: z.string().describe('Its value in the second set'),
          value: figure('The figure after this step'),
          difference: figure('The figure after this step less the figure before it; null if either is null'),
        }),
      )
      .describe('The options that differ, one after the other in a fixed order'),
    residual: figure('The difference between both ends that the steps do not explain: always 0; null if a figure is null'),
  })
}

/** A bridge, as its endpoint is documented. */
export const BRIDGE_ANSWER = bridgeSchema('money').meta({
  id: 'Bridge',
  description: 'A figure under two definition sets, and what each option contributes to the difference',
})
