import * as z from 'zod'
import { mustBe, oneOf } from '../presentation/messages.ts'

/** An argument that is one of some words. */
export function wordArgument<const Words extends readonly string[]>(name: string, words: Words) {
  return z.enum(words, { error: ({ input }) => mustBe(name, oneOf(words), input) })
}

/** An argument that is any text. */
export function textArgument(name: string) {
  return z.string({ error: ({ input }) => mustBe(name, 'text', input) })
}

/** An argument that counts something: a whole number from 0 on. */
export function countArgument(name: string) {
  const error = ({ input }: { readonly input?: unknown }) => mustBe(name, 'a whole number from 0 on', input)
  return z.int({ error }).min(0, { error })
}
