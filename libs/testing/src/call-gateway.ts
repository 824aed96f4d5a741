export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface CallOptions {
  /** Access token or, when it begins with `gw_`, API key. */
  readonly credential?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a URL of the API with JSON, or with a form. An empty answer has no body. */
export async function callGateway<Body>(
  url: string,
  method: string,
  body: unknown,
  options: CallOptions = {},
): Promise<Answer<Body>> {
  const { credential } = options;
  const headers: Record<string, string> = { ...options.headers };
  if (credential?.startsWith('gw_') === true) headers['x-api-key'] = credential;
  else if (credential !== undefined) headers['authorization'] = `Bearer ${credential}`;
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
  const sent = isForm ? body : JSON.stringify(body);
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: sent }) });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as Body, headers: answer.headers };
}
