/** Makes a JSON value unchangeable, so that several readers can hold the same one. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const field of Object.values(value)) if (typeof field === 'object') frozen(field);
    Object.freeze(value);
  }
  return value;
}
