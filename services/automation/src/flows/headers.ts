import type { Fault, FlowAction } from '@messaging-gateway/contracts';

type Headers = Readonly<Record<string, string>>;

/** Shown in place of every value, and taken for the value that is kept. */
const hidden = '********';

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Visible ASCII with blanks inside: no line end can open another header. */
const headerValue = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/;
/** Ours, and those that say how the connection and the body are to be read. */
const reserved =
  /^(?:webhook-.*|x-service-.*|content-.*|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|user-agent|http2-settings)$/i;

/**
 * Faults of the headers of a step.
 *
 * @param kept those that a step for this URL has had
 * @param at their path
 */
export const headerFaults = (headers: Headers, kept: Headers, at: string): Fault[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    const path = `${at}.${name}`;
    if (!headerName.test(name)) return [{ path, message: 'is not the name of a header, such as X-Api-Key' }];
    if (reserved.test(name)) return [{ path, message: 'is set by the gateway' }];
    if (value === hidden && !Object.hasOwn(kept, name))
      return [{ path, message: 'must be given: no value is kept for it' }];
    return headerValue.test(value) ? [] : [{ path, message: 'must be visible ASCII without line ends' }];
  });

/** Names alone: values are often credentials, and whoever may read a flow need not know them. */
export const withHiddenHeaders = (action: FlowAction): FlowAction =>
  action.type === 'webhook' && action.headers !== undefined
    ? { ...action, headers: Object.fromEntries(Object.keys(action.headers).map((name) => [name, hidden])) }
    : action;

/**
 * Headers of the steps of a flow for a URL, sealed. What is hidden from whoever changes a flow must not go elsewhere: they are kept
 * for this URL only.
 */
export const keptHeaders = (steps: readonly FlowAction[], url: string): Headers =>
  Object.fromEntries(
    steps.flatMap((step) => (step.type === 'webhook' && step.url === url ? Object.entries(step.headers ?? {}) : [])),
  );

/** Headers as they are kept: sealed, with the kept values where only the name was given. */
export const sealedHeaders = (headers: Headers, kept: Headers, seal: (text: string) => string): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value === hidden ? (kept[name] ?? '') : seal(value)]),
  );
