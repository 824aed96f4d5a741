import { conversationIdOf, MessageReceived, MessageSent, type DataOf } from '@messaging-gateway/contracts';
import type { TestService } from '@messaging-gateway/service/testing';
import type { FakeChatwoot } from '@messaging-gateway/testing';
import { v7 } from 'uuid';

interface Beside {
  readonly service: TestService;
  readonly chatwoot: FakeChatwoot;
  readonly about: { readonly organizationId: string; readonly profileId: string };
}

/** A chat as inbox and outbound tell of it, and what Chatwoot has of it. */
export function chatWith({ service, chatwoot, about }: Beside, jid: string) {
  const { profileId } = about;
  const conversationId = conversationIdOf(profileId, jid);
  const timestamp = () => new Date(service.clock.now()).toISOString();
  const mine = () => chatwoot.conversations.filter(({ source }) => source === conversationId);
  const seen = () => chatwoot.messages.filter(({ conversation }) => mine().some(({ id }) => id === conversation));
  const common = { networkMessageId: '3EB0C767D82B1F2A', conversationId };
  return {
    jid,
    conversationId,
    seen,
    remote: () => mine()[0]?.id ?? 0,
    receive: async (text: string, given: Partial<DataOf<typeof MessageReceived>> = {}): Promise<string> => {
      const id = v7();
      const content = { type: 'text', text } as const;
      const told = {
        id,
        ...common,
        from: jid,
        body: text,
        type: 'text' as const,
        content,
        hasMedia: false,
        timestamp: timestamp(),
      };
      await service.emit(MessageReceived, { ...told, ...given }, about);
      return id;
    },
    send: async (text: string, messageId = v7(), given: Partial<DataOf<typeof MessageSent>> = {}): Promise<string> => {
      const content = { type: 'text', text } as const;
      const data = {
        messageId,
        ...common,
        to: jid,
        type: 'text' as const,
        origin: 'automation' as const,
        content,
        timestamp: timestamp(),
      };
      await service.emit(MessageSent, { ...data, ...given }, about);
      return messageId;
    },
    change: (messageId: string) => ({ ...common, messageId, from: jid, fromMe: false, timestamp: timestamp() }),
    progress: (messageId: string) => ({
      messageId,
      to: jid,
      type: 'text' as const,
      conversationId,
      origin: 'api' as const,
    }),
  };
}
