import type { Query } from '../api/question.ts'
import { useWhy } from '../api/use-answer.ts'
import { useNow } from '../controls/use-page.ts'
import { pageSentence } from '../format/sentences.ts'
import { type Drill, useDrill } from './drill.tsx'
import { Answered } from './states.tsx'

interface SentencesProps {
  readonly of?: readonly string[] | undefined
  /** The rows behind each sentence, in the same order. */
  readonly drills?: readonly Drill[]
}

/** Sentences of the API as a list, each with a link to its rows if there are any. */
export function Sentences({ of = [], drills = [] }: SentencesProps) {
  const { open } = useDrill()
  const { currency } = useNow()
  return (
    <ul className="sentences">
      {of.map((given, place) => {
        const drill = drills[place]
        const sentence = pageSentence(given, currency)
        return (
          <li key={sentence}>
            {sentence}{' '}
            {drill !== undefined && (
              <button type="button" className="link-button" aria-label={`Show rows: ${sentence}`} onClick={() => open(drill)}>
                Show rows
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const HEIGHT = 150

/** Why MRR changed, in the API's sentences. */
export function WhySentences({ query }: { query: Query }) {
  const { answer, why } = useWhy({ ...query, limit: 1 })
  return (
    <Answered answer={answer} height={HEIGHT}>
      <Sentences of={why?.sentences} />
    </Answered>
  )
}
