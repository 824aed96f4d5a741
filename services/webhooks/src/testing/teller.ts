import { conversationIdOf, MessageSent } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { publication, type ServiceModule } from '@messaging-gateway/service';
import { v7 } from 'uuid';

interface Facts {
  readonly to: string;
  /** Of a chat that has more of them. */
  readonly chat?: { readonly conversationId: string; readonly text: string };
}
type Told = { type: 'Told'; data: Facts };
const decider: Decider<null, Facts, Told> = {
  initial: null,
  decide: (data) => [{ type: 'Told', data }],
  evolve: (state) => state,
};
const stream: StreamType<null, Facts, Told> = { name: 'told', decider, events: { Told: { version: 1 } } };

export interface Telling {
  readonly organizationId: string;
  /** Events of each profile come in order, those of different ones at the same time. */
  readonly profileIds: readonly string[];
  readonly count: number;
  /** Numbers: each of them is sent a text in turn, `Word 0` and so on, one after the other. Default: everybody is somebody else. */
  readonly chats?: readonly string[];
}

/** Stands for outbound: tells `message.sent` from a journal of its own. */
export const teller = (told: (tell: (telling: Telling) => Promise<void>) => void): ServiceModule<object> => ({
  name: 'outbound',
  storage: { schema: 'outbound', streams: [stream], inlineViews: [], guards: [] },
  migrations: [],
  connect: ({ store }) => {
    told(async ({ organizationId, profileIds, count, chats }) => {
      const [first = ''] = profileIds;
      const metadata = { organizationId, profileId: first, subject: `organization:${organizationId}` };
      for (let index = 0; chats !== undefined && index < count; index += 1)
        await Promise.all(
          chats.map((number) => {
            const to = `${number}@c.us`;
            const chat = { conversationId: conversationIdOf(first, to), text: `Word ${index}` };
            return store.handle(stream, v7(), { to, chat }, { metadata });
          }),
        );
      if (chats !== undefined) return;
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
        const { to, chat } = data as unknown as Facts;
        const sent = {
          messageId,
          networkMessageId: '3EB0',
          to,
          type: 'text',
          conversationId: chat?.conversationId ?? messageId,
          origin: 'api',
          ...(chat && { content: { type: 'text', text: chat.text } as const }),
        } as const;
        return [publication(MessageSent, sent)];
      },
    };
  },
});
