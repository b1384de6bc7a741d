export { mustBe, mustBeOne, oneOf } from '../../query/messages.ts'
