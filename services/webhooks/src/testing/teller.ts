import { MessageSent } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { publication, type ServiceModule } from '@messaging-gateway/service';
import { v7 } from 'uuid';

type Told = { type: 'Told'; data: { to: string } };
const decider: Decider<null, { to: string }, Told> = {
  initial: null,
  decide: ({ to }) => [{ type: 'Told', data: { to } }],
  evolve: (state) => state,
};
const stream: StreamType<null, { to: string }, Told> = { name: 'told', decider, events: { Told: { version: 1 } } };

export interface Telling {
  readonly organizationId: string;
  /** Events of each profile come in order, those of different ones at the same time. */
  readonly profileIds: readonly string[];
  readonly count: number;
}

/** Stands for outbound: tells `message.sent` from a journal of its own. */
export const teller = (told: (tell: (telling: Telling) => Promise<void>) => void): ServiceModule<object> => ({
  name: 'outbound',
  storage: { schema: 'outbound', streams: [stream], inlineViews: [], guards: [] },
  migrations: [],
  connect: ({ store }) => {
    told(async ({ organizationId, profileIds, count }) => {
      const one = (index: number): Promise<unknown> => {
        const profileId = profileIds[index % profileIds.length] as string;
        return store.handle(
          stream,
          v7(),
          { to: `${1_000_000 + index}@c.us` },
          {
            metadata: { organizationId, profileId, subject: `organization:${organizationId}` },
          },
        );
      };
      await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
    });
    return {
      name: 'outbound',
      rows: [],
      running: [],
      publish: ({ stream: name, data }) => {
        const messageId = name.slice('told-'.length);
        const { to } = data as Told['data'];
        const sent = {
          messageId,
          networkMessageId: '3EB0',
          to,
          type: 'text',
          conversationId: messageId,
          origin: 'api',
        } as const;
        return [publication(MessageSent, sent)];
      },
    };
  },
});
