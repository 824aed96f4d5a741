import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@messaging-gateway/testing';
import type { SimulatorProcess } from '../simulator-process.ts';
import { startStandalone, type Standalone } from '../standalone.ts';
import { installGrown, signIn, warmUp, type Grown, type Stored } from './grown.ts';
import type { Plan } from './plan.ts';

/** An installation whose data is kept. */
interface Kept {
  readonly plan: Plan;
  readonly ids: readonly string[];
  readonly stored: Stored;
}

const directoryOf = (parent: string, messages: number): string => join(parent, `growth-${messages}`);
const fileOf = (parent: string, messages: number): string => `${directoryOf(parent, messages)}.json`;

/**
 * An installation whose data stays: it is made once, and only started the next time.
 *
 * @param number which one of those that are measured together
 */
export async function installKept(
  network: SimulatorProcess,
  parent: string,
  messages: number,
  number: number,
): Promise<Grown> {
  const [directory, file] = [directoryOf(parent, messages), fileOf(parent, messages)];
  if (existsSync(file)) return reopen(network, parent, messages);
  rmSync(directory, { recursive: true, force: true }); // of one that was broken off
  mkdirSync(directory, { recursive: true });
  const grown = await installGrown(network, await startStandalone(network, directory), messages, number);
  const { subject, stored } = grown;
  const kept: Kept = { plan: subject.plan, ids: subject.ids, stored };
  writeFileSync(file, JSON.stringify(kept));
  return grown;
}

/** Migrations that it does not have run now; the network knows its devices no longer. */
async function reopen(network: SimulatorProcess, parent: string, messages: number): Promise<Grown> {
  const { plan, ids, stored } = JSON.parse(readFileSync(fileOf(parent, messages), 'utf8')) as Kept;
  const installation = await startStandalone(network, directoryOf(parent, messages));
  const token = await signIn(installation);
  for (const profile of plan.profiles) await linkAgain(network, installation, token, profile);
  const subject = { installation, plan, token, ids };
  await warmUp(subject);
  return { subject, stored: { ...stored, startUpMs: Math.round(installation.startUpMs) } };
}

async function linkAgain(
  { control }: SimulatorProcess,
  installation: Standalone,
  credential: string,
  { profileId, phone }: Plan['profiles'][number],
): Promise<void> {
  const call = <Body>(method: string, path: string) => installation.call<Body>(method, path, undefined, { credential });
  const accounts = await call<{ items: { id: string }[] }>('GET', '/accounts');
  await control.createPhone({ phone });
  await eventually(async () => {
    const { body } = await call<{ status: string }>('GET', `/profiles/${profileId}/status`);
    if (body.status === 'connected') return true;
    const shown = await call<{ qr: string }>('GET', `/accounts/${accounts.body.items[0]?.id}/profiles/${profileId}/qr`);
    if (shown.status === 200) await control.scan(phone, shown.body.qr).catch(() => undefined); // another one is shown by now
    else await call('POST', `/profiles/${profileId}/connect`);
    return undefined;
  }, 120_000);
}
