/**
 * A copy as another process would get it as JSON: nothing is shared, and fields that are undefined are not there. Without
 * the text in between it takes a third of the time.
 */
export function jsonCopy<Value>(value: Value): Value;
export function jsonCopy(value: unknown): unknown {
  switch (typeof value) {
    case 'object':
      return value === null ? null : Array.isArray(value) ? Array.from(value, inList) : copyOfObject(value);
    case 'number':
      return Number.isFinite(value) ? value + 0 : null;
    case 'function':
    case 'symbol':
      return undefined;
    default:
      return value;
  }
}

/** Copy of an element of a list: null where JSON has no word for it. */
const inList = (value: unknown): unknown => jsonCopy(value) ?? null;

function copyOfObject(value: object): unknown {
  const form: unknown = Object.getPrototypeOf(value);
  // Dates, bytes and whatever says itself what it is as JSON.
  if ((form !== Object.prototype && form !== null) || 'toJSON' in value) return JSON.parse(JSON.stringify(value));
  const copy: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    const field = jsonCopy<unknown>(given);
    if (field === undefined) continue;
    if (name === '__proto__') Object.defineProperty(copy, name, { value: field, ...plain });
    else copy[name] = field;
  }
  return copy;
}

const plain = { enumerable: true, configurable: true, writable: true };
