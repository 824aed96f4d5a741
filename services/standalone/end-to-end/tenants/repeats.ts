import { operations, type Operation } from '@messaging-gateway/contracts';
import type { World } from '../world.ts';
import type { Asked } from './slots.ts';
import type { Walker } from './walking.ts';

/** Routes that make something, by their contracts; uploads come as forms and are not asked for here. */
export const makers: readonly (readonly [string, Operation])[] = operations
  .filter(
    ({ method, access, answers, upload }) => method === 'POST' && access !== 'public' && 201 in answers && !upload,
  )
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

export interface Repeated {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

/** Sends a request several times at once with one Idempotency-Key. @returns one answer each */
export async function atOnce(world: World, walker: Walker, asked: Asked, times: number): Promise<Repeated[]> {
  const { method, path, body } = asked;
  const request = {
    method,
    headers: { ...walker.headers, 'content-type': 'application/json', 'idempotency-key': `repeats-of-${path}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return Promise.all(
    Array.from({ length: times }, async () => {
      const answer = await fetch(`${world.gateway.host}/api/v1${path}`, request);
      const replayed = answer.headers.get('idempotency-replayed') === 'true';
      return { status: answer.status, text: await answer.text(), replayed };
    }),
  );
}
