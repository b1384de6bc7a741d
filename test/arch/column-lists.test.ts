import ts from 'typescript'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { measureOf } from '../../src/metrics/columns.ts'
import { MOVEMENT_ORDER } from '../../src/query/dimensions/movement.ts'
import { type SourceFile, sourceFiles } from './source-tree.ts'

/** Most names of measures in one list outside the metrics. */
const MOST = 5

/** Files that need such a list. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  // These checks prove figures by a second way to each of them. If they read the declarations, they would repeat their mistakes.
  'src/trust/verify/checks/books-add-up.ts': 'second opinion',
  'src/trust/verify/checks/books-balance.ts': 'second opinion',
  'src/trust/verify/checks/books-roll-forward.ts': 'second opinion',
  'src/trust/verify/checks/summary-agrees.ts': 'second opinion',
  // Pages choose the figures that they show, their order, and the page that each opens.
  'src/web/ledger/tiles.tsx': 'choice of tiles',
  'src/web/pages/groups.tsx': 'choice of columns',
  'src/web/pages/overview-tile.tsx': 'choice of tiles',
  'src/web/pages/segments.tsx': 'choice of columns',
}

/**
 * The measures of the built-in metrics. Kinds of movements are left out: they are values of the dimension `movement_type`, too, and a list
 * of kinds is no list of columns.
 */
const MEASURES: ReadonlySet<string> = new Set(
  BUILT_IN_METRICS.flatMap(({ queries }) =>
    Object.values(queries).flatMap(({ plain, row, series_row }) =>
      [plain, row, series_row].flatMap((shape) =>
        shape instanceof z.ZodObject
          ? Object.entries(shape.shape).flatMap(([name, schema]) =>
              measureOf(schema as z.ZodType) === undefined || MOVEMENT_ORDER.includes(name) ? [] : [name],
            )
          : [],
      ),
    ),
  ),
)

/** The measures that each outermost array or object of a file names. */
function listsIn({ path, text }: SourceFile): readonly ReadonlySet<string>[] {
  const lists: Set<string>[] = []
  const visit = (node: ts.Node, list: Set<string> | undefined): void => {
    const own = list ?? (ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node) ? new Set<string>() : undefined)
    if (own !== list && own !== undefined) lists.push(own)
    const isName =
      ts.isStringLiteral(node) || (ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node)
    if (isName && MEASURES.has(node.text)) own?.add(node.text)
    ts.forEachChild(node, (child) => visit(child, own))
  }
  visit(
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : undefined),
    undefined,
  )
  return lists
}

it('the attributes of a figure are declared at its column: no other file lists the columns of metrics', () => {
  const files = sourceFiles('src', ['.ts', '.tsx']).filter(({ path }) => !path.startsWith('src/metrics/'))
  const found = files.flatMap((file) => {
    const most = Math.max(0, ...listsIn(file).map(({ size }) => size))
    return most > MOST ? [[file.path, most] as const] : []
  })
  expect(found.filter(([path]) => !Object.hasOwn(EXCEPTIONS, path))).toEqual([])
  // An exception that is no longer needed goes.
  expect(Object.keys(EXCEPTIONS).filter((path) => !found.some(([one]) => one === path))).toEqual([])
  expect(MEASURES.size).toBeGreaterThan(50)
})
