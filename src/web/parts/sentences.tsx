/** Sentences of the API, one below the other. */
export function Sentences({ of = [] }: { of?: readonly string[] | undefined }) {
  return (
    <ul className="sentences">
      {of.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
