import type { Fault } from '@messaging-gateway/contracts';
import { invalid } from '@messaging-gateway/messaging';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import { isSecret } from '@messaging-gateway/webhook-signing';
import { missingValues, withKeptValues, type Headers } from './headers.ts';
import type { WebhookSettings } from './webhook.ts';

interface Given {
  readonly url?: string | undefined;
  readonly secret?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | null | undefined;
}

/**
 * Checks what a schema cannot: where the URL leads, whether a `whsec_` secret holds base64, what the headers would do.
 *
 * @param before the webhook as it is
 * @throws Refused VALIDATION_ERROR naming every field that is wrong
 */
export async function checkGiven(
  given: Given,
  allowPrivate: boolean,
  before?: Pick<WebhookSettings, 'url' | 'headers'>,
): Promise<void> {
  // What is hidden from whoever changes a webhook must not go where he likes.
  const kept = before !== undefined && leadsElsewhere(given.url, before.url) ? {} : before?.headers;
  const faults = [
    ...secretFaults(given.secret),
    ...Object.entries(given.headers ?? {}).flatMap(headerFaults),
    ...(given.headers === undefined ? lostValues(before?.headers, kept) : []),
    ...missingValues(withKeptValues(given.headers ?? {}, kept)),
  ];
  const urlFault = given.url === undefined ? undefined : await resolvedTargetFault(given.url, { allowPrivate });
  if (urlFault !== undefined) faults.unshift({ path: 'body.url', message: urlFault });
  if (faults.length > 0) throw invalid(faults);
}

const leadsElsewhere = (url: string | undefined, before: string): boolean =>
  url !== undefined && (!URL.canParse(url) || new URL(url).origin !== new URL(before).origin);

const lostValues = (before: Headers = {}, kept: Headers = {}): Fault[] =>
  Object.keys(before).length > Object.keys(kept).length
    ? [{ path: 'body.headers', message: 'must be given again, or null: the URL leads to another host' }]
    : [];

const secretFaults = (secret: string | null | undefined): Fault[] =>
  secret === undefined || secret === null || isSecret(secret)
    ? []
    : [
        {
          path: 'body.secret',
          message: 'must hold base64 after whsec_, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        },
      ];

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Visible ASCII with blanks inside: no line end can open another header. */
const headerValue = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/;
/** Ours, and those that say how the connection and the body are to be read. */
const reserved =
  /^(?:webhook-.*|x-service-.*|content-.*|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|user-agent|http2-settings)$/i;

function headerFaults([name, value]: readonly [string, string]): Fault[] {
  const path = `body.headers.${name}`;
  if (!headerName.test(name)) return [{ path, message: 'is not the name of a header, such as X-Api-Key' }];
  if (reserved.test(name)) return [{ path, message: 'is set by the gateway' }];
  return headerValue.test(value) ? [] : [{ path, message: 'must be visible ASCII without line ends' }];
}
