import type { Request } from 'express';

/**
 * Where the client reaches the API, without a slash at its end: `PUBLIC_URL`, else the host that the request was sent to
 * (`X-Forwarded-Host` and `X-Forwarded-Proto` from a proxy that `TRUST_PROXY` believes).
 */
export function publicUrlOf(settings: { readonly publicUrl: string | undefined }, request: Request): string {
  return settings.publicUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
}
