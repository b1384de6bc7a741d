import { describeServed } from '../support/product/describe-served.ts'
import { dashboardPages, keptCharts } from './sample/dashboards.ts'
import { figuresOfPages } from './sample/numbers.ts'
import { everyPage } from './sample/pages.ts'
import { documentedQuestions } from './sample/questions.ts'
import { segmentPages } from './sample/segments.ts'
import { addresses } from './sample/state.ts'

addresses()
keptCharts()
documentedQuestions()

// To fill a cache with the sample data and start a browser takes longer than most of these tests: they share both, one after another.
describeServed('the pages over the sample data', (served) => {
  everyPage(served)
  figuresOfPages(served)
  // What is stored stays, so those who store come last.
  dashboardPages(served)
  segmentPages(served)
})
