import type { OperationBus } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { v7 } from 'uuid';
import type { Check } from '../process/health-server.ts';

/** Facts that a service tells of itself when it is asked whether it answers. */
export type About = Readonly<Record<string, string>>;

const nameOf = (service: string): string => `Alive.${service}`;
const patienceMs = 1_500;

/** Answers that this service is there, for the readiness of gateways. @returns stops it */
export const answerAlive = (bus: OperationBus, service: string, about: About = {}): Promise<() => Promise<void>> =>
  bus.serve(nameOf(service), async () => ({ status: 200, body: about }));

export interface Answering {
  readonly services: Readonly<Record<string, Check>>;
  /** Facts that the replicas that answered tell of themselves. */
  readonly about: About;
}

/** Asks which services answer: one replica of each is enough. Takes 1.5 s at most. */
export async function askAlive(bus: OperationBus, clock: Clock, services: readonly string[]): Promise<Answering> {
  const answers = await Promise.all(
    services.map(async (service) => {
      const id = v7();
      const deadline = clock.now() + patienceMs;
      const request = { requestId: id, resourceId: id, params: {}, query: {}, body: {}, deadline };
      const reply = await bus.request(nameOf(service), request).catch(() => undefined);
      return [service, reply] as const;
    }),
  );
  return {
    services: Object.fromEntries(answers.map(([service, reply]) => [service, reply === undefined ? 'down' : 'up'])),
    about: Object.assign({}, ...answers.map(([, reply]) => reply?.body ?? {})) as About,
  };
}
