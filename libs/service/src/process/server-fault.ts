import { reasonOf } from '@messaging-gateway/runtime';
import type { ServerAccess } from '../settings/server-access.ts';

interface Meaning {
  readonly is: RegExp;
  readonly words: (reason: string, access: ServerAccess) => string;
}

/** Faults that only another setting, or another server, puts right. */
const meanings: readonly Meaning[] = [
  {
    is: /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/,
    words: (_, { authority }) =>
      `its certificate is from an authority that is not trusted here: see ${authority}, which names a file with it`,
  },
  { is: /ERR_TLS_CERT_ALTNAME_INVALID|ENOENT|EACCES/, words: (reason, { address }) => `${reason}: see ${address}` },
  {
    is: /ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|does not support SSL/,
    words: (_, { tls }) => `it takes no TLS on this port: see ${tls}`,
  },
  { is: /no encryption$/, words: (reason, { tls }) => `${reason}: it takes TLS only, see ${tls}` },
  {
    is: /28P01|28000|ACCESS-REFUSED|WRONGPASS|NOAUTH|AUTH <password>|SASLAuthentication|ILLEGAL_SASL_STATE/,
    words: (reason, { user }) => `${reason}: see ${user}`,
  },
  {
    is: /ConnectionOpenOk/,
    words: (_, { address }) => `its virtual host is not there, or not for this user: see ${address}`,
  },
];

/** Words of a server that hung up at once: it may not understand how it is spoken to. */
const hungUp = /ECONNRESET|EPIPE|[Cc]losed|terminated/;
/** So may who stays silent when TLS begins. */
const silent = /ETIMEDOUT|[Tt]imeout/;

/** Why a server is not reached, with the variable where a setting is at fault. */
export const explain =
  (access: ServerAccess) =>
  (error: unknown): string => {
    const reason = reasonOf(error);
    return meaningOf(error)?.words(reason, access) ?? reason;
  };

/** Explains the fault of a server that was never reached yet. */
export function explainAtFirst(access: ServerAccess, error: unknown): string {
  const text = explain(access)(error);
  const facts = factsOf(error);
  const isMisunderstood = hungUp.test(facts) || (access.encrypted && silent.test(facts));
  if (meaningOf(error) !== undefined || !isMisunderstood) return text;
  return `${text}: perhaps it takes ${access.encrypted ? 'no TLS' : 'TLS only'} on this port, see ${access.tls}`;
}

const meaningOf = (error: unknown): Meaning | undefined => meanings.find(({ is }) => is.test(factsOf(error)));

function factsOf(error: unknown): string {
  const { name, code, type } = error as { name?: unknown; code?: unknown; type?: unknown };
  return [name, code, type, reasonOf(error)].join(' ');
}
