import type { Answer, CallOptions } from './call-gateway.ts';

/** A gateway that can be called, beside a simulated network. */
export interface ApiWorld {
  readonly gateway: {
    call<Body>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer<Body>>;
  };
  readonly network: {
    createPhone(phone: { readonly phone: string }): Promise<unknown>;
    scan(phone: string, qr: string): Promise<unknown>;
  };
}

/** A person with an organization of the own. */
export interface Tenant {
  readonly token: string;
  readonly accountId: string;
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
}

let people = 0;

/** Registers somebody new. */
export async function register(world: ApiWorld): Promise<Tenant> {
  people += 1;
  const email = `person-${people}@example.com`;
  const answer = await world.gateway.call<{ accessToken: string }>('POST', '/auth/register', {
    email,
    password: 'correct horse battery',
    name: `Person ${people}`,
  });
  if (answer.status !== 201) throw new Error(`register answered ${answer.status} ${JSON.stringify(answer.body)}`);
  const token = answer.body.accessToken;
  const call: Tenant['call'] = (method, path, body, headers) =>
    world.gateway.call(method, path, body, { credential: token, ...(headers && { headers }) });
  // Made right after the registration, when sessions did not answer in time.
  const accountId = await eventually(
    async () => (await call<{ items: { id: string }[] }>('GET', '/accounts')).body.items[0]?.id,
  );
  return { token, accountId, call };
}

export interface LinkedProfile {
  readonly profileId: string;
  readonly phone: string;
}

/** Makes a profile and links it with a simulated phone by QR. */
export async function linkProfile(
  world: ApiWorld,
  tenant: Tenant,
  phone: string,
  settings: object = {},
): Promise<LinkedProfile> {
  const made = await tenant.call<{ id: string }>('POST', '/profiles', {
    name: `Profile ${phone}`,
    messageDelayMs: 0,
    ...settings,
  });
  if (made.status !== 201) throw new Error(`POST /profiles answered ${made.status} ${JSON.stringify(made.body)}`);
  const profile = { profileId: made.body.id, phone };
  await world.network.createPhone({ phone });
  await linkAgain(world, tenant, profile);
  return profile;
}

/** Links a profile with its phone by QR; resolves when it is connected. */
export async function linkAgain(world: ApiWorld, tenant: Tenant, { profileId, phone }: LinkedProfile): Promise<void> {
  await tenant.call('POST', `/profiles/${profileId}/connect`);
  await eventually(async () => {
    const answer = await tenant.call<{ qr: string }>('GET', `/accounts/${tenant.accountId}/profiles/${profileId}/qr`);
    if (answer.status !== 200) return undefined;
    // Another one is shown by now when the client has connected anew meanwhile: then that one is scanned.
    return world.network.scan(phone, answer.body.qr).then(() => true, unlessUnknown);
  });
  await connected(tenant, profileId);
}

function unlessUnknown(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== 'QR_UNKNOWN') throw error;
}

/** Waits until a profile is connected. */
export async function connected(tenant: Tenant, profileId: string): Promise<void> {
  await eventually(async () => {
    const answer = await tenant.call<{ status: string }>('GET', `/profiles/${profileId}/status`);
    return answer.body.status === 'connected' ? true : undefined;
  });
}

/** Asks again until there is an answer. */
export async function eventually<T>(ask: () => Promise<T | undefined>, timeoutMs = 170_000): Promise<T> {
  for (const until = Date.now() + timeoutMs; ;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > until) throw new Error(`It did not happen in ${timeoutMs} ms: ${ask.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
