import { type Drill, useDrill } from './drill.tsx'

interface SentencesProps {
  readonly of?: readonly string[] | undefined
  /** What each is made of, in the same order. */
  readonly drills?: readonly Drill[]
}

/** Sentences of the API, one below the other, each with the way to its rows where there is one. */
export function Sentences({ of = [], drills = [] }: SentencesProps) {
  const { open } = useDrill()
  return (
    <ul className="sentences">
      {of.map((sentence, place) => {
        const drill = drills[place]
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
