import { isInTurn } from '../support/databases/rotation.ts'
import { describeServed } from '../support/product/describe-served.ts'
import type { ServedPage } from '../support/product/served-page.ts'
import { linksOfAnswers } from './sample/answer-links.ts'
import { bridgePage } from './sample/bridge.ts'
import { changedData } from './sample/changed-data.ts'
import { cohortFigures } from './sample/cohorts.ts'
import { comparedPeriods } from './sample/compared.ts'
import { dashboardPages, keptCharts } from './sample/dashboards.ts'
import { fillingOfCache } from './sample/filling.ts'
import { filterValues } from './sample/filter-values.ts'
import { forecasts } from './sample/forecast.ts'
import { groupPages } from './sample/groups.ts'
import { layouts } from './sample/layout.ts'
import { marksOfFindings } from './sample/marks.ts'
import { figuresOfPages } from './sample/numbers.ts'
import { oneNumber } from './sample/one-number.ts'
import { everyPage } from './sample/pages.ts'
import { pagesOfLists } from './sample/pages-of-lists.ts'
import { palette } from './sample/palette.ts'
import { panelsInAddress } from './sample/panels.ts'
import { documentedQuestions } from './sample/questions.ts'
import { notesAndGoals } from './sample/remarks.ts'
import { segmentPages } from './sample/segments.ts'
import { sharing } from './sample/sharing.ts'
import { addresses } from './sample/state.ts'
import { tables } from './sample/tables.ts'
import { unfitFilters } from './sample/unfit-filters.ts'
import { wordsOfPages } from './sample/words.ts'

/** Each run takes every third part. Tests that store data come last, because the data stays. */
const PARTS: readonly ((served: ServedPage) => void)[] = [
  figuresOfPages,
  (served) => oneNumber(served, false),
  wordsOfPages,
  bridgePage,
  panelsInAddress,
  tables,
  pagesOfLists,
  comparedPeriods,
  forecasts,
  layouts,
  cohortFigures,
  sharing,
  linksOfAnswers,
  palette,
  groupPages,
  unfitFilters,
  fillingOfCache,
  filterValues,
  dashboardPages,
  segmentPages,
  marksOfFindings,
  notesAndGoals,
  changedData,
]

addresses()
keptCharts()
documentedQuestions()

// Filling a cache and starting a browser takes longer than most of these tests, so they share both and run in order.
describeServed('the pages over the sample data', (served) => {
  everyPage(served)
  for (const test of PARTS.filter((_, index) => isInTurn(index, 2))) test(served)
})
