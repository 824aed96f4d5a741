/** Where envelopes of a DSN go, and by what key. @throws Error that does not show the value */
export function envelopeAddress(dsn: string): { readonly url: string; readonly key: string } {
  const url = URL.canParse(dsn) ? new URL(dsn) : undefined;
  const [, path = '', project] = /^(.*)\/(\w+)$/.exec(url?.pathname ?? '') ?? [];
  const isRight = url !== undefined && /^https?:$/.test(url.protocol) && url.username !== '' && project !== undefined;
  if (!isRight) throw new Error('must be a DSN, such as https://<key>@errors.example.com/<project>');
  return { url: `${url.origin}${path}/api/${project}/envelope/`, key: url.username };
}
