import { describeServed } from '../support/product/describe-served.ts'
import { oneNumber } from './sample/one-number.ts'
import { fifteenQuestions } from './sample/questions.ts'
import { stateInAddress } from './sample/state.ts'

describeServed('walks through the pages over the sample data', (served) => {
  fifteenQuestions(served)
  stateInAddress(served)
  oneNumber(served, true)
})
