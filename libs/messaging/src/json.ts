/** A copy as another process would get it: what crosses a border is never shared by reference. */
export const copyOf = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

/** Makes a JSON value unchangeable, so that several readers can hold the same one. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const field of Object.values(value)) frozen(field);
    Object.freeze(value);
  }
  return value;
}
