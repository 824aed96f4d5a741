import type { ServiceTools } from '@messaging-gateway/service';
import type { AddressBook } from '../chat/address-book.ts';
import type { OwnNumbers } from '../chat/own-numbers.ts';
import type { UnreadConversations } from '../chat/unread-conversations.ts';
import type { InboxSettings } from '../config.ts';
import type { Acquaintances } from '../contact/acquaintances.ts';
import type { DoomedMedia } from './doomed-media.ts';
import type { WaitingChanges } from './waiting-changes.ts';

/** Tools of the handlers of messages. */
export interface MessageTools extends ServiceTools<InboxSettings> {
  readonly ownNumbers: OwnNumbers;
  readonly addressBook: AddressBook;
  readonly acquaintances: Acquaintances;
  readonly doomedMedia: DoomedMedia;
  readonly waitingChanges: WaitingChanges;
  readonly unreadConversations: UnreadConversations;
}
