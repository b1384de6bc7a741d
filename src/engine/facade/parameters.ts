export {
  PARAMETERS,
  type ParameterDefinition,
  type ParameterName,
  SINGLE_PARAMETERS,
  STAGED_PARAMETERS,
} from '../../query/parameters.ts'
export { unknownField } from '../../query/places.ts'
