import type { Row } from '../../../../src/connector-kit/connector.ts'

/** The billing engine's tables by name; absent ones are empty. */
export type Tables = (name: string) => readonly Row[]
