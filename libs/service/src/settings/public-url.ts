import type { Setting } from '@messaging-gateway/runtime';

/**
 * `PUBLIC_URL`: where clients reach the API, without a slash at its end; undefined where nobody said so. In the table of
 * each service that writes absolute URLs; in answers the gateway's `publicUrlOf` makes them.
 */
export const publicUrl = {
  variable: 'PUBLIC_URL',
  byDefault: 'the host that a request was sent to',
  means:
    'Where people and receivers of events reach the API, for example `https://gateway.example.com`: absolute URLs begin with it. A path is allowed where a proxy takes it off.',
  read: (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
    if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
      throw new Error('must be an http or https URL without credentials, query and fragment');
    }
    return url.href.replace(/\/+$/, '');
  },
} as const satisfies Setting<string | undefined>;
