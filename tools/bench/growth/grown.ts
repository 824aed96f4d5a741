import { connected, type Tenant } from '@messaging-gateway/testing';
import { linkSenders, registerOwner } from '../load.ts';
import type { SimulatorProcess } from '../simulator-process.ts';
import type { Standalone } from '../standalone.ts';
import { exchange } from './exchange.ts';
import { fill } from './fill.ts';
import { ask, sendTo, warmPlaces, type Subject } from './measure.ts';
import { daysStored, spreadOf, type Plan } from './plan.ts';

/** An installation with messages stored, and what they took. */
export interface Grown {
  readonly subject: Subject & { readonly installation: Standalone };
  readonly stored: Stored;
}

export interface Stored {
  readonly messages: number;
  readonly conversations: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly startUpMs: number;
}

const profiles = 10;
const daysMs = daysStored * 86_400_000;

/**
 * Links ten profiles, has a real exchange, ends the gateway, multiplies the exchange, and starts the gateway again.
 *
 * @param number which one of those that are measured together
 */
export async function installGrown(
  network: SimulatorProcess,
  first: Standalone,
  messages: number,
  number: number,
): Promise<Grown> {
  try {
    const owner = await registerOwner(first);
    const senders = await linkSenders(first, network, owner, profiles, number * profiles);
    const [sender] = senders;
    if (sender === undefined) throw new Error('No profile was linked.');
    const pattern = await exchange(first, network, owner, sender);
    const me = await first.call<{ organizationId: string }>('GET', '/auth/me', undefined, { credential: owner.token });
    const plan: Plan = {
      messages,
      ...spreadOf(messages),
      organizationId: me.body.organizationId,
      profiles: senders.map(({ profileId, phone }) => ({ profileId, phone })),
      begin: Date.now() - daysMs,
      step: (daysMs - 60_000) / messages,
    };
    let filled = { ids: [] as readonly string[], bytes: 0 };
    const begun = performance.now();
    const installation = await first.again(async () => {
      filled = await fill({ directory: first.directory, exchange: pattern, plan });
    });
    const seconds = Math.round((performance.now() - begun) / 1000);
    const token = await signIn(installation);
    const call: Tenant['call'] = (method, path, body) => installation.call(method, path, body, { credential: token });
    for (const { profileId } of senders) await connected({ token, accountId: owner.accountId, call }, profileId);
    const subject = { installation, plan, token, ids: filled.ids };
    await warmUp(subject);
    const megabytes = Math.round(filled.bytes / 1e6);
    const startUpMs = Math.round(installation.startUpMs);
    return { subject, stored: { messages, conversations: plan.conversations, megabytes, seconds, startUpMs } };
  } catch (error) {
    await first.end();
    throw error;
  }
}

/** The people that sends are measured with have a session with their profile. */
export async function warmUp(subject: Subject): Promise<void> {
  for (let place = 0; place < warmPlaces; place += 1) await ask(subject, sendTo(subject, place));
}

export async function signIn(installation: Subject['installation']): Promise<string> {
  const { body } = await installation.call<{ accessToken: string }>('POST', '/auth/login', {
    email: 'bench@example.com',
    password: 'correct horse battery',
  });
  return body.accessToken;
}
