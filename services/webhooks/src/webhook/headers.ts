import type { Fault } from '@messaging-gateway/contracts';

export type Headers = Readonly<Record<string, string>>;

/** Shown in place of every value, and taken for the value that is kept. */
const hidden = '********';

/** Names alone: values are often credentials, and whoever may change a webhook need not know them. */
export const shownHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, hidden]));

/** Headers as they were given, with the kept values where only the name was. */
export function withKeptValues(given: Headers, kept: Headers = {}): Headers {
  const values = new Map(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === hidden ? (values.get(name.toLowerCase()) ?? value) : value,
    ]),
  );
}

/** A name without a value of which none is kept. */
export const missingValues = (headers: Headers): Fault[] =>
  Object.entries(headers)
    .filter(([, value]) => value === hidden)
    .map(([name]) => ({ path: `body.headers.${name}`, message: 'must be given: no value is kept for it' }));
