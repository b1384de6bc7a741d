type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** The entries that have a value: drivers tell an option that is undefined from one that is absent. */
export function present<T extends object>(options: T): Present<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Present<T>
}
