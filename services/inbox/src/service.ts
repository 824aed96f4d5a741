import { EraseInboxData, ReadInboxData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { chats } from './chat/feature.ts';
import type { InboxSettings } from './config.ts';
import { contacts } from './contact/feature.ts';
import { conversations } from './conversation/feature.ts';
import { groups } from './group/feature.ts';
import { messages } from './message/feature.ts';
import { people } from './person/feature.ts';

/** Stored messages, conversations and contacts. */
export const inbox = service<InboxSettings>('inbox', {
  features: [chats, contacts, people, messages, conversations, groups],
  personalData: { erase: EraseInboxData, read: ReadInboxData },
});
