import { isMediaUrl, keyOfMediaUrl, type Operation } from '@messaging-gateway/contracts';
import type { Request } from 'express';
import { markedFields, markedTexts } from './marked-fields.ts';

/**
 * Takes the gateway's own host off the URLs of media in a body (`MediaUrl`): the owner knows by its path what lies in the
 * store, and fetches all else. Own is the host that the request was sent to. Who names another one there than the
 * gateway's gets no more than the path alone would have got: media of the own organization.
 */
export function ownUrls(operation: Operation): (body: unknown, request: Request) => void {
  const fields = markedFields(operation.body, (schema) => (isMediaUrl(schema) ? true : undefined));
  return (body, request) => {
    for (const { text, replace } of markedTexts(body, fields)) {
      const path = pathOn(request.host, text);
      if (path !== undefined && keyOfMediaUrl(path) !== undefined) replace(path);
    }
  };
}

function pathOn(host: string | undefined, url: string): string | undefined {
  if (host === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { host: named, pathname, username, password } = new URL(url);
  return named === host.toLowerCase() && username === '' && password === '' ? pathname : undefined;
}
