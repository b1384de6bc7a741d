export { mustBe, mustBeOne, oneOf } from '../../query/issues.ts'
