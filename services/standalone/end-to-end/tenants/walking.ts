import { operations, type Operation } from '@messaging-gateway/contracts';
import { eventually } from '@messaging-gateway/testing';
import type { World } from '../world.ts';
import { requestOf, slotsOf, type Asked, type Ids, type Slot } from './slots.ts';

/** A client of the API: a credential, its things, and all that it was told. */
export interface Walker {
  readonly headers: Readonly<Record<string, string>>;
  readonly ids: Ids;
  /** Where webhooks and media of requests are. */
  readonly url: string;
  readonly told: { readonly asked: string; readonly text: string }[];
}

export interface Told {
  readonly status: number;
  readonly text: string;
}

export async function ask(world: World, walker: Walker, { method, path, body, upload }: Asked): Promise<Told> {
  const isJson = body !== undefined && upload === undefined;
  const answer = await fetch(`${world.gateway.host}/api/v1${path}`, {
    method,
    headers: { ...walker.headers, ...(isJson && { 'content-type': 'application/json' }) },
    ...(isJson && { body: JSON.stringify(body) }),
    ...(upload !== undefined && { body: formOf(upload, body as object) }),
  });
  const text = await answer.text();
  walker.told.push({ asked: `${method} ${path} ${JSON.stringify(body)}`, text });
  return { status: answer.status, text };
}

function formOf(file: string, fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (name !== file) form.append(name, String(value));
  form.append(file, new Blob(['some text']), 'text.txt');
  return form;
}

const isRequired = (operation: Operation, slot: Slot): boolean =>
  slot.part === 'path' || (slot.part === 'body' && slot.name in ((operation.example as object | undefined) ?? {}));

/** The request of somebody who wants nothing but the own. */
export const ownRequest = (operation: Operation, { ids, url }: Walker): Asked =>
  requestOf(operation, (slot) => (isRequired(operation, slot) ? ids[slot.belonging] : undefined), url);

/**
 * Each slot in turn holds an id of somebody else, the others the walker's own; at last all hold those of the other.
 *
 * @param others what is attacked; slots of other things are left alone
 */
export function attacks(operation: Operation, others: Ids, walker: () => Walker): (() => Asked)[] {
  const slots = slotsOf(operation).filter(({ belonging }) => others[belonging] !== undefined);
  const one = (attacked: readonly Slot[]) => () =>
    requestOf(
      operation,
      (slot) => {
        const isAttacked = attacked.some(({ part, name }) => part === slot.part && name === slot.name);
        if (isAttacked) return others[slot.belonging];
        return isRequired(operation, slot) ? walker().ids[slot.belonging] : undefined;
      },
      walker().url,
    );
  return [...slots.map((slot) => one([slot])), ...(slots.length > 1 ? [one(slots)] : [])];
}

/** Fields that change by themselves, or by looking at them. */
const passing =
  /"(lastUsedAt|lastConnectedAt|lastActiveAt|uptime|dailyResetAt|endsAt|requestId|exportedAt)":("[^"]*"|\d+|null),?/g;
const looksOnly = operations.filter(
  ({ method, access, name }) => method === 'GET' && access !== 'public' && name !== 'LoadOlderMessages',
);

/** Everything that a walker can read of its own, by the name of the route: status and text. */
export async function everything(world: World, walker: Walker): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  for (const operation of looksOnly) {
    const { status, text } = await ask(world, walker, ownRequest(operation, walker));
    shown[`${operation.method} ${operation.path}`] = `${status} ${text.replaceAll(passing, '')}`;
  }
  return shown;
}

/** Everything that a walker sees, once nothing changes by itself any more. */
export async function settled(world: World, walker: Walker): Promise<Record<string, string>> {
  let before = '';
  return eventually(async () => {
    const now = await everything(world, walker);
    const isSame = JSON.stringify(now) === before;
    before = JSON.stringify(now);
    return isSame ? now : undefined;
  }, 500_000);
}

/** Answers of each search for a word. */
export async function searches(world: World, walker: Walker, word: string): Promise<(Told & { path: string })[]> {
  const answers: (Told & { path: string })[] = [];
  for (const operation of operations.filter(({ query }) => 'search' in (query?.properties ?? {}))) {
    const own = ownRequest(operation, walker);
    answers.push({ ...(await ask(world, walker, { ...own, path: `${own.path}?search=${word}` })), path: own.path });
  }
  return answers;
}

/** Answers that hold a secret which the request did not hold. */
export const leaks = ({ told }: Walker, secrets: readonly string[]): object[] =>
  told.filter(({ asked, text }) =>
    secrets.some((secret) => text.toLowerCase().includes(secret.toLowerCase()) && !asked.includes(secret)),
  );

/** A list without items, or a CSV without rows. */
export function isEmpty(text: string): boolean {
  if (!text.startsWith('{')) return text.trim().split('\n').length <= 1;
  const { items } = JSON.parse(text) as { items?: unknown[] };
  return items?.length === 0;
}

/** The status, where a list that was narrowed to what one may not see and is empty counts as not found. */
export const statusOf = ({ method, path }: Asked, { status, text }: Told): number =>
  status === 200 && method === 'GET' && path.includes('?') && isEmpty(text) ? 404 : status;
