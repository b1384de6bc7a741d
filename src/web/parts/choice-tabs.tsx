interface ChoiceTabsProps<Value extends string> {
  /** Name of the choice. */
  readonly label: string
  readonly value: Value
  readonly choices: readonly {
    readonly value: Value
    readonly label: string
  }[]
  readonly onChoose: (value: Value) => void
}

/** A few choices as buttons. One of them is selected. */
export function ChoiceTabs<Value extends string>({ label, value, choices, onChoose }: ChoiceTabsProps<Value>) {
  return (
    <fieldset className="tabs">
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className="tab"
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}
