import { expect, it } from 'vitest'
import { textCell } from '../../src/facades/presentation/workbook/sheets.ts'

it('a cell has no character that no XML may have, whatever a customer is called', () => {
  expect(textCell('a\ufffeb\uffffc')).toBe('a\ufffdb\ufffdc')
  expect(textCell('_x0041_')).toBe('_x005F_x0041_')
})
